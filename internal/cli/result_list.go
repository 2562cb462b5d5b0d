package cli

import (
	"github.com/spf13/cobra"

	"brenner/internal/usecase"
)

func newResultList(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "list T",
		Short: "List every message that gave a test a result, oldest first",
		Long: `List every message that gave a test a result, oldest first, as the test stood after that message.
The first that is not exploratory is the one that predictions are held against.`,
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
		status := orDash(t.Status)
		if t.Exploratory {
			status += " (exploratory)"
		}
		rows = append(rows, []string{string(t.Test), orDash(t.Outcome), status, t.By, "#" + formatInt(t.MessageID), t.Name})
	}
	p.table(columns("Test", "Outcome…", "Status", "By?", "Message?", "Name…"), rows)
	p.next("brenner", "predictions", r.ThreadID)
}

// orDash shows an absent text as a dash.
func orDash(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}
