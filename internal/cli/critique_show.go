package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/session"
)

func newCritiqueShow(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "show ID",
		Short:   "Show a critique and how it was answered",
		Example: "  brenner critique show 7",
		Args:    exactly("ID"),
	}, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		id, err := parseID(args[0])
		if err != nil {
			return nil, err
		}
		entry, err := p.Sessions.CritiqueShow(ctx, id)
		if err != nil {
			return nil, err
		}
		return critiqueReport{entry}, nil
	}))
}

type critiqueReport struct{ session.QueueEntry }

func (r critiqueReport) show(p *printer) {
	p.print("%s: %s\n", p.style(styleBold, visible(critiqueLine(r.OpenCritique))), r.State)
	for _, answer := range r.Answers {
		p.print("answered by %s with a %s, #%d\n", visible(answer.From), answer.Kind, answer.MessageID)
	}
	p.print("\n")
	p.text(strings.TrimRight(*r.Body, "\n") + "\n")
	if r.State != "open" {
		p.next("brenner", "critique", "list", r.ThreadID)
	} else {
		p.hint("answer with a DELTA that replies to #%d, with brenner critique answer %d --body TEXT, or brenner critique promote %d",
			r.MessageID, r.MessageID, r.MessageID)
	}
}
