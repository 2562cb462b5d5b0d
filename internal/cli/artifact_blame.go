package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/artifact"
	"brenner/artifact/diff"
	project "brenner/internal/app"
)

func newArtifactBlame(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "blame T [ITEM[.FIELD]]",
		Short: "Show who wrote each field of the latest version",
		Long: `Show for each field of the latest published version who wrote it, in which message and block, when
and why. Map fields are listed key by key (predictions.H2; P1.H2 is the same cell).`,
		Example: "  brenner artifact blame RS-20260110-cells-turn\n  brenner artifact blame RS-20260110-cells-turn H2.mechanism",
		Args:    between([]string{"T"}, "ITEM"),

		ValidArgsFunction: a.completeThreads,
	}
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		address := ""
		if len(args) > 1 {
			address = args[1]
		}
		lines, err := p.Sessions.Blame(ctx, args[0], address)
		if err != nil {
			return nil, err
		}
		return blameReport{args[0], lines}, nil
	}))
}

type blameReport struct {
	ThreadID string      `json:"thread_id"`
	Fields   []diff.Line `json:"fields"`
}

func (r blameReport) show(p *printer) {
	if len(r.Fields) == 0 {
		p.note("the artifact has no fields yet")
		p.next("brenner", "session", "status", r.ThreadID)
		return
	}
	var rows [][]string
	for _, f := range r.Fields {
		agent, message := "-", "-"
		if f.Agent != nil {
			agent = *f.Agent
		}
		if f.MessageID != nil {
			message = "#" + formatInt(*f.MessageID)
		}
		rows = append(rows, []string{string(f.Item) + "." + f.Field, agent, message, string(artifact.AppendValue(nil, f.Value.Value))})
	}
	p.table(columns("Field", "Agent", "Message", "Value…"), rows)
	p.next("brenner", "thread", "show", r.ThreadID)
}
