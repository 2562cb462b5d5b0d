package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/fold"
	"brenner/internal/session"
)

func newArtifactHistory(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:               "history T",
		Short:             "List the published versions of a thread, oldest first",
		Example:           "  brenner artifact history RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, a.inSession(func(ctx context.Context, s *session.Session, args []string) (report, error) {
		versions, err := s.History(ctx)
		if err != nil {
			return nil, err
		}
		return historyReport{args[0], versions}, nil
	}))
}

type historyReport struct {
	ThreadID string         `json:"thread_id"`
	Versions []fold.Version `json:"versions"`
}

func (r historyReport) show(p *printer) {
	if len(r.Versions) == 0 {
		p.note("nothing is published yet")
		p.next("brenner", "compile", r.ThreadID)
		return
	}
	var rows [][]string
	for _, v := range r.Versions {
		mark := ""
		if v.Latest {
			mark = "← latest"
		}
		rows = append(rows, []string{versionText(v.Version), "#" + formatInt(v.MessageID), p.age(v.CompiledAt), v.CompiledBy, v.Subject,
			mark})
	}
	p.table(columns("Version", "Message", "Age?", "By?", "Subject…", ""), rows)
	p.next("brenner", "artifact", "diff", r.ThreadID)
}
