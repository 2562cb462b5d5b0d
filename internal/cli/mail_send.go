package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// messageFlags are the flags of a message that is sent.
type messageFlags struct {
	body        string
	to, cc, bcc []string
	ackRequired bool
	importance  string
}

func (f *messageFlags) define(a *app, cmd *cobra.Command) {
	flags := cmd.Flags()
	a.fromFlag(cmd)
	flags.StringVar(&f.body, "body", "", "`FILE` with the body, - for stdin")
	flags.StringSliceVar(&f.to, "to", nil, "recipient `AGENT`, repeatable or separated by commas")
	flags.StringSliceVar(&f.cc, "cc", nil, "`AGENT` to be told as well")
	flags.StringSliceVar(&f.bcc, "bcc", nil, "`AGENT` to be told without the others knowing")
	flags.BoolVar(&f.ackRequired, "ack-required", false, "ask for an acknowledgement, or not (=false); default: as the type does")
	flags.StringVar(&f.importance, "importance", string(message.Normal), "low, normal, high or urgent")
	for _, name := range []string{"to", "cc", "bcc"} {
		completeFlag(cmd, name, a.completeAgents)
	}
	completeFlag(cmd, "importance", fixed(importances))
}

// draft reads the body and puts the message together.
func (f *messageFlags) draft(ctx context.Context, a *app, p *project.App, flags *pflag.FlagSet) (message.Draft, error) {
	var d message.Draft
	text, err := a.readAll(ctx, input{f.body, maxText, protocol.MessageTooLarge})
	if err != nil {
		return d, err
	}
	d = message.Draft{To: f.to, Cc: f.cc, Bcc: f.bcc, Body: string(text)}
	if d.Importance, err = parseImportance(f.importance); err != nil {
		return d, err
	}
	if flags.Changed("ack-required") {
		d.AckRequired = &f.ackRequired
	}
	d.From, err = a.sender(ctx, p)
	return d, err
}

func newMailSend(a *app) *cobra.Command {
	var message messageFlags
	var subject, thread, key, replyTo string
	var fresh bool
	cmd := &cobra.Command{
		Use:   "send --to AGENT --subject TEXT --body FILE|-",
		Short: "Send a message",
		Long: `Send a message. On a thread under the protocol (every RS- thread, and any that a KICKOFF
opened) a message that breaks a rule is refused whole, with findings and the receipt of its
delta blocks; nothing is stored then. Elsewhere the findings are warnings.

--thread may be a part of the name of one session, and means that session then; --new begins a thread of
that very name instead. Any other name begins a thread by itself. --body - takes what is pasted into a terminal,
lines of any length, until Ctrl-D on a line of its own.`,
		Example: "  brenner mail send --from BlueLake --to Operator --thread RS-20260110-cell-fate \\\n" +
			"    --subject 'DELTA[gpt]: Add H3' --body delta.md",
		Args: exactly(),
	}
	flags := cmd.Flags()
	message.define(a, cmd)
	flags.StringVar(&subject, "subject", "", "subject `TEXT`")
	flags.StringVar(&thread, "thread", "", "thread `ID`, or part of the id of one session")
	flags.BoolVar(&fresh, "new", false, "begin a thread of the very name that --thread gives, though it is part of a session's")
	flags.StringVar(&key, "idempotency-key", "", "`KEY` that makes sending again harmless")
	flags.StringVar(&replyTo, "reply-to", "", "`ID` of the message this one answers")
	required(cmd, "to", "subject", "body")
	completeFlag(cmd, "thread", a.completeThreadFlag)
	return a.command(cmd, a.inNewProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		d, err := message.draft(ctx, a, p, flags)
		if err != nil {
			return nil, err
		}
		d.Subject = subject
		var begins string
		switch {
		case fresh && thread == "":
			return nil, usageError("--new needs --thread: the name of the thread that begins")
		case fresh:
			d.ThreadID = thread
		default:
			if d.ThreadID, begins, err = addressed(ctx, p, thread); err != nil {
				return nil, err
			}
		}
		if replyTo != "" {
			if d.ReplyTo, err = parseID(replyTo); err != nil {
				return nil, err
			}
		}
		sent, err := p.Mail.Send(ctx, mail.Outgoing{Draft: d, Key: key})
		return newSentReport(sent, d.Body, begins, err)
	}))
}

// addressed is the thread that --thread means: the one of that very name, else the session that it is a part of the id of.
// An answer must not open a thread of its own because its sender typed half of a name; where it does
// open one, begins says so.
func addressed(ctx context.Context, p *project.App, name string) (thread, begins string, err error) {
	if name == "" {
		return "", "", nil
	}
	if _, err := p.Mail.Thread(ctx, name); protocol.CodeOf(err) != protocol.NotFound {
		return name, "", err
	}
	threads, err := p.Mail.Threads(ctx)
	if err != nil {
		return "", "", err
	}
	var sessions []string
	for i := range threads {
		if threads[i].Enforced() {
			sessions = append(sessions, threads[i].ID)
		}
	}
	id, err := oneOf(name, sessions)
	switch nearest := nearestOf(name, sessions); {
	case err != nil:
		return "", "", usageError("%w; --new begins a thread of that name", err)
	case id != "":
		return id, "", nil
	case nearest != "":
		return name, "this began a thread; did you mean the session " + nearest + "?", nil
	}
	return name, "this began a thread: no session has that name", nil
}
