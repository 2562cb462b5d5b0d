package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
)

func newThreadShow(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:               "show T",
		Short:             "Show the messages of a thread",
		Example:           "  brenner thread show RS-20260110-cell-fate",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		messages, err := p.Mail.ThreadMessages(ctx, args[0])
		if err != nil {
			return nil, err
		}
		r := threadReport{ThreadID: args[0], Messages: make([]mail.Object, len(messages))}
		for i := range messages {
			r.Messages[i] = mail.NewObject(&messages[i], nil, a.identity())
		}
		return r, nil
	}))
}

type threadReport struct {
	ThreadID string        `json:"thread_id"`
	Messages []mail.Object `json:"messages"`
}

func (r threadReport) show(p *printer) {
	for i, m := range r.Messages {
		if i > 0 {
			p.print("\n")
		}
		p.print("%s\n", p.style(styleDim, "── #"+formatInt(m.ID)+" ──"))
		messageObject{m}.print(p)
	}
	p.next("brenner", "session", "status", r.ThreadID)
}
