package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"brenner/internal/artifact"
	"brenner/internal/usecase"
)

func newWhatIf(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "whatif T TEST=OUTCOME...",
		Short: "Show what the agents would believe if tests had these outcomes",
		Long: `Show what the agents would believe if tests had these outcomes, how many bits that would teach, and
which test would come next. Nothing is stored. An outcome is one of the test's labels; brenner next
--json lists them.`,
		Example:           "  brenner whatif RS-20260110-cells-turn T1=kept 'T2=no colour'",
		Args:              atLeast("T", "TEST=OUTCOME"),
		ValidArgsFunction: a.completeSuppositions(),
	}, usecase.WhatIf, func(answer usecase.WhatIfAnswer) report { return whatIfReport{answer} })
}

type whatIfReport struct{ usecase.WhatIfAnswer }

func (r whatIfReport) show(p *printer) {
	var rows [][]string
	worlds := []string{}
	for w := range r.Prior {
		worlds = append(worlds, w)
	}
	slices.SortFunc(worlds, artifact.CompareKeys)
	for _, w := range worlds {
		rows = append(rows, []string{w, percent(r.Prior[w]), percent(r.Posterior[w]), bar(r.Posterior[w])})
	}
	p.table(columns("World", "Before", "After", "?"), rows)
	p.print("%.3f bits gained\n", r.BitsGained)
	if len(r.Tests) > 0 {
		p.print("\n")
		p.advice(r.Tests)
	}
	p.next("brenner", "next", r.ThreadID)
}
