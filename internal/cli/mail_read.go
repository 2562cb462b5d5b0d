package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func newMailRead(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "read ID",
		Short:   "Show a message and mark it as read",
		Example: "  brenner mail read 7 --as BlueLake",
		Args:    exactly("ID"),

		ValidArgsFunction: a.completeMessages,
	}, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		id, err := parseID(args[0])
		if err != nil {
			return nil, err
		}
		m, err := p.Mail.Message(ctx, id)
		if err != nil {
			return nil, err
		}
		viewer, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		return readMessage(ctx, p, m, viewer)
	}))
}

// readMessage marks the message as read by the viewer. Its sender and the operator may read it
// too; there is nothing to mark then.
func readMessage(ctx context.Context, p *project.App, m mail.Message, viewer string) (report, error) {
	d, err := p.Mail.MarkRead(ctx, viewer, m.ID)
	switch {
	case err == nil:
		return messageObject{mail.NewObject(&m, &d, viewer)}, nil
	case protocol.CodeOf(err) == protocol.NotFound && (protocol.SameAgent(m.From, viewer) || protocol.SameAgent(viewer, mail.Operator)):
		return messageObject{mail.NewObject(&m, nil, viewer)}, nil
	}
	return nil, err
}

// messageObject is one message.
type messageObject struct{ mail.Object }

// print shows headers and body.
func (r messageObject) print(p *printer) {
	p.header("From", r.From)
	p.header("To", strings.Join(r.To, ", "))
	if len(r.Cc) > 0 {
		p.header("Cc", strings.Join(r.Cc, ", "))
	}
	p.header("Subject", r.Subject)
	if r.ThreadID != nil {
		p.header("Thread", *r.ThreadID)
	}
	p.header("Date", r.CreatedAt)
	p.print("\n")
	p.text(strings.TrimRight(*r.Body, "\n") + "\n")
}

func (r messageObject) show(p *printer) {
	r.print(p)
	switch {
	case r.AckRequired && r.Kind != nil && *r.Kind != mail.Bcc && r.AckAt == nil:
		p.next("brenner", "mail", "ack", formatInt(r.ID))
	case r.Kind != nil:
		p.next("brenner", "mail", "reply", formatInt(r.ID), "--body", "FILE")
	case r.ThreadID != nil:
		p.next("brenner", "thread", "show", *r.ThreadID)
	}
}

func (p *printer) header(name, value string) {
	p.print("%s %s\n", p.style(styleBold, name+":"), visible(value))
}
