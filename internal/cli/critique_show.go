package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/fold"
)

func newCritiqueShow(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a critique and how it was answered",
		Long: "Show a critique. ID is the number of a CRITIQUE message, or an item of the artifact: C1, or T#C1 where several " +
			"sessions are open.",
		Example: "  brenner critique show 7\n  brenner critique show C1",
		Args:    exactly("ID"),

		ValidArgsFunction: a.completeCritiques,
	}
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		entry, err := a.critique(ctx, cmd, p, args[0])
		if err != nil {
			return nil, err
		}
		return critiqueReport{entry}, nil
	}))
}

type critiqueReport struct{ fold.QueueEntry }

func (r critiqueReport) show(p *printer) {
	p.print("%s: %s\n", p.style(styleBold, visible(critiqueLine(r.OpenCritique))), r.State)
	for _, answer := range r.Answers {
		p.print("answered by %s with a %s, #%d\n", visible(answer.From), answer.Kind, answer.MessageID)
	}
	p.print("\n")
	p.text(strings.TrimRight(*r.Body, "\n") + "\n")
	switch {
	case r.State == "open" && r.Item != nil && !r.Promoted:
		p.hint("answer with a DELTA that says **Action**: Response to %s", *r.Item)
	case r.State != "open":
		p.next("brenner", "critique", "list", r.ThreadID)
	default:
		p.hint("answer with a DELTA that replies to #%d, with brenner critique answer %d --body TEXT, or brenner critique promote %d",
			r.MessageID, r.MessageID, r.MessageID)
	}
}
