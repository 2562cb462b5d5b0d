package cli

import (
	"github.com/spf13/cobra"

	"brenner/internal/fold"
	"brenner/internal/usecase"
)

func newCritiqueList(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:               "list T",
		Short:             "List the critiques of a session with their state",
		Example:           "  brenner critique list RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Critiques, func(answer usecase.CritiquesAnswer) report { return critiquesReport{answer} })
}

type critiquesReport struct{ usecase.CritiquesAnswer }

func (r critiquesReport) show(p *printer) {
	if len(r.Critiques) == 0 {
		p.note("no critiques")
		p.next("brenner", "session", "status", r.ThreadID)
		return
	}
	var open *fold.QueueEntry
	var rows [][]string
	for i, c := range r.Critiques {
		name, severity, target := "#"+formatInt(c.MessageID), "", ""
		if c.Promoted {
			name += " " + *c.Item
		} else if c.Item != nil {
			name = *c.Item
		}
		if (c.Item == nil || c.Promoted) && c.State == "open" && open == nil {
			open = &r.Critiques[i]
		}
		if c.Severity != nil {
			severity = *c.Severity
		}
		if c.Target != nil {
			target = *c.Target
		}
		rows = append(rows, []string{name, c.State, severity, c.From, target, c.Title})
	}
	p.table(columns("Critique", "State", "Severity", "From?", "Target…", "Title…"), rows)
	if open == nil {
		p.next("brenner", "session", "status", r.ThreadID)
		return
	}
	p.next("brenner", "critique", "show", formatInt(open.MessageID))
}
