package cli

import (
	"github.com/spf13/cobra"

	"brenner/internal/usecase"
)

func newArtifactHistory(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:               "history T",
		Short:             "List the published versions of a thread, oldest first",
		Example:           "  brenner artifact history RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.History, func(answer usecase.HistoryAnswer) report { return historyReport{answer} })
}

type historyReport struct{ usecase.HistoryAnswer }

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
