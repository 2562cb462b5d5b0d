package cli

import (
	"github.com/spf13/cobra"

	"brenner/internal/usecase"
)

func newSigns(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "signs T",
		Short: "Show whether agents move with the evidence",
		Long: `Show the vital signs of a thread, for each who wrote on it and for all together: how many of the results
that it could have answered it did answer, by stating credences or by editing or killing a hypothesis that
the test discriminates; how its later statements moved beside what its own numbers imply (revision 1: as
they say, 0: not at all, below 0: away) and how far they lie from it (drift); how many of its locked
predictions were contradicted, and after how many it stated less, edited or killed the hypothesis; false
quotations; predictions that it wrote after the result.`,
		Example:           "  brenner signs RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Signs, func(answer usecase.SignsAnswer) report { return signsReport{answer} })
}

type signsReport struct{ usecase.SignsAnswer }

func (r signsReport) show(p *printer) {
	var rows [][]string
	for _, s := range append(r.Rows, r.Session) {
		name := "all"
		if s.Agent != nil {
			name = *s.Agent
		}
		rows = append(rows, []string{
			name, share(s.Answered, s.Results), number(s.Revision), number(s.Drift), formatInt(int64(s.Statements)),
			share(s.Revised, s.Refuted),
			formatInt(int64(s.FalseQuotes)), formatInt(int64(s.Rewritten)),
		})
	}
	p.table(columns("Agent", "Answered", "Revision", "Drift", "Statements?", "Revised", "False quotes?", "Rewritten?"), rows)
	p.next("brenner", "beliefs", r.ThreadID)
}

func share(n, of int) string { return formatInt(int64(n)) + " of " + formatInt(int64(of)) }
