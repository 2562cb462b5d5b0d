package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
)

func newMailAck(a *app) *cobra.Command {
	var body, status string
	cmd := &cobra.Command{
		Use:   "ack ID",
		Short: "Acknowledge a message",
		Long: "Acknowledge a message. With a body or a status an ACK message is posted as well. Doing so twice changes nothing, but a " +
			"body is posted each time.",
		Example: "  brenner mail ack 7 --as BlueLake\n  brenner mail ack 7 --as BlueLake --body 'On it.'",
		Args:    exactly("ID"),

		ValidArgsFunction: a.completeMessages,
	}
	cmd.Flags().StringVar(&body, "body", "", "what the ACK message says: `TEXT`, a file, or - for stdin")
	cmd.Flags().StringVar(&status, "status", "", "`WORD` for the ACK message: "+strings.Join(message.AckStatuses(), ", "))
	completeFlag(cmd, "status", fixed(message.AckStatuses()))
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		id, err := parseID(args[0])
		if err != nil {
			return nil, err
		}
		text, err := a.readWords(ctx, body)
		if err != nil {
			return nil, err
		}
		if _, err := p.Mail.Message(ctx, id); err != nil {
			return nil, err
		}
		agent, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		d, err := p.Mail.AcknowledgeWith(ctx, agent, id, mail.AckNote{Status: status, Body: text})
		if err != nil {
			return nil, err
		}
		return ackReport{id, d.Agent, true, mail.FormatTime(d.AckAt), mail.FormatTime(d.ReadAt)}, nil
	}))
}

type ackReport struct {
	MessageID    int64  `json:"message_id"`
	Agent        string `json:"agent"`
	Acknowledged bool   `json:"acknowledged"`
	AckAt        string `json:"acknowledged_at"`
	ReadAt       string `json:"read_at"`
}

func (r ackReport) show(p *printer) {
	p.print("message %d acknowledged at %s\n", r.MessageID, r.AckAt)
	p.next("brenner", "mail", "inbox", r.Agent, "--unread")
}
