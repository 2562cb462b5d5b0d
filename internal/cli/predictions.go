package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/science"
	"brenner/internal/usecase"
)

func newPredictions(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "predictions T",
		Short: "List every prediction, and whether it was written before its result",
		Long: `List every prediction of a thread: what each hypothesis expects of each test. A prediction is open
without a result, locked if it was written before anybody looked, after_look if a first look or run came
before it, and post_hoc if it was written with the result or after it. A result is held against what was
registered before the first look. Killed tests and hypotheses are listed too.`,
		Example:           "  brenner predictions RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Predictions, func(answer usecase.PredictionsAnswer) report { return predictionsReport{answer} })
}

type predictionsReport struct{ usecase.PredictionsAnswer }

func (r predictionsReport) show(p *printer) {
	next := []string{"brenner", "result", "list", r.ThreadID}
	if len(r.Predictions) == 0 {
		p.note("no test says what to expect yet")
		next = []string{"brenner", "session", "status", r.ThreadID}
	} else {
		r.table(p)
	}
	p.line("", r.Counts.String()) // also where there is none (SCIENCE 3)
	p.line("", r.Coverage.Line())
	p.findingsOnErr(r.Findings)
	p.next(next...)
}

func (r predictionsReport) table(p *printer) {
	var rows [][]string
	for _, c := range r.Predictions {
		outcome := "-"
		if c.Result != nil {
			outcome = cmp.Or(c.Result.Said(), "-")
		}
		rows = append(rows, []string{
			string(c.Test), c.Hypothesis, string(c.State), expectation(c), outcome, c.By, "#" + formatInt(c.MessageID),
			strings.Join(c.Remarks(), ", "),
		})
	}
	p.table(columns("Test", "For", "State", "Expected…", "Outcome…", "By?", "Message?", "Remarks…"), rows)
}

// expectation shows a cell, with what was registered beside what was written later.
func expectation(c science.Prediction) string {
	text := orDash(c.Expected)
	if c.Registered != nil {
		text += " (registered: " + *c.Registered + ")"
	}
	return text
}
