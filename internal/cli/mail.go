package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

func newMail(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "mail",
		Short: "Send, read, search and acknowledge messages",
		Example: "  brenner mail inbox BlueLake --unread\n" +
			"  brenner mail send --from BlueLake --to RedSky --subject 'QUESTION: Which strain?' --body question.md",
	}, newMailSend(a), newMailReply(a), newMailRead(a), newMailAck(a), newMailInbox(a), newMailWait(a), newMailSearch(a),
		newMailRegister(a), newMailRetire(a), newMailAgents(a))
}

// parseID reads a message id as people write it: 7 or #7.
func parseID(text string) (int64, error) {
	digits := text
	if len(digits) > 0 && digits[0] == '#' {
		digits = digits[1:]
	}
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || id < 1 {
		return 0, usageError("%q is not the number of a message", text)
	}
	return id, nil
}

// parseTypes reads a list of message types.
func parseTypes(names []string) ([]protocol.MessageType, error) {
	types := make([]protocol.MessageType, 0, len(names))
	for _, name := range names {
		t, ok := protocol.ParseMessageType(strings.ToUpper(name))
		if !ok {
			return nil, usageError("%q is no type of message; types are %v", name, protocol.MessageTypes())
		}
		types = append(types, t)
	}
	return types, nil
}

var importances = []message.Importance{message.Low, message.Normal, message.High, message.Urgent}

func parseImportance(text string) (message.Importance, error) {
	for _, i := range importances {
		if text == string(i) {
			return i, nil
		}
	}
	return "", usageError("%q is no importance; use low, normal, high or urgent", text)
}

// objects are messages as their reader sees them.
func objects(received []mail.Received, viewer string) []mail.Object {
	list := make([]mail.Object, len(received))
	for i := range received {
		list[i] = mail.NewObject(&received[i].Message, &received[i].Delivery, viewer)
	}
	return list
}
