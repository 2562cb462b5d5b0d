package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/science"
	"brenner/internal/usecase"
)

func newResultList(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "list T",
		Short: "List every result and attempt, oldest first",
		Long: `List every result and attempt, oldest first, each with its own recorder, message and evidence, and what became of it:
the main result of its test, a replication, replaced, withdrawn, or an attempt.`,
		Example:           "  brenner result list RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Results, func(answer usecase.ResultsAnswer) report { return resultsReport{answer} })
}

type resultsReport struct{ usecase.ResultsAnswer }

func (r resultsReport) show(p *printer) {
	if len(r.Results) == 0 {
		p.note("no test has a result yet")
		p.next("brenner", "next", r.ThreadID)
		return
	}
	var rows [][]string
	for _, t := range r.Results {
		rows = append(rows, []string{string(t.Test), cmp.Or(t.Said(), orDash(t.Status)), string(t.Standing), remarks(t), t.By,
			"#" + formatInt(t.MessageID), t.Name})
	}
	p.table(columns("Test", "Found…", "Standing", "Remarks…", "By?", "Message?", "Name…"), rows)
	p.next("brenner", "predictions", r.ThreadID)
}

// remarks are what a reader must know about a result beside what it says.
func remarks(t science.ResultRow) string {
	var list []string
	if t.Exploratory {
		list = append(list, "exploratory")
	}
	if t.Replicates != nil {
		list = append(list, "repeats #"+formatInt(*t.Replicates))
	}
	if t.ReplacedBy != nil {
		list = append(list, "by #"+formatInt(*t.ReplacedBy))
	}
	switch {
	case t.Uncounted != "":
		list = append(list, "not counted: "+t.Uncounted)
	case t.Potency != nil && *t.Potency == science.PotencyFailed:
		list = append(list, "control failed")
	}
	return strings.Join(append(list, t.Evidence...), ", ")
}

// orDash shows an absent text as a dash.
func orDash(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}
