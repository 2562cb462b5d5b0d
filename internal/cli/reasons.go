package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/science"
	"brenner/internal/usecase"
)

func newReasons(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "reasons T",
		Short: "Say why belief is what it is, and what the answer hangs on",
		Long: `Say why belief is what it is. First the ledger: what each standing result did to the pool at its message, in
bits for each world. Then what the pool and its leader would be without each result and each source, if results that
share evidence counted once, without replications and kills, with one vote for each agent, and with weaker or stronger
likelihood ratios.`,
		Example:           "  brenner reasons RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Reasons, func(answer usecase.ReasonsAnswer) report { return reasonsReport{answer} })
}

type reasonsReport struct{ usecase.ReasonsAnswer }

func (r reasonsReport) show(p *printer) {
	p.print("%s: %s leads; %s\n\n", r.Verdict, r.Leader, r.HangsOn())
	if len(r.Results) == 0 {
		p.note("no result stands: the numbers are what the agents stated")
	}
	var rows [][]string
	for i := range r.Results {
		row := &r.Results[i]
		rows = append(rows, []string{
			string(row.Test), fmt.Sprintf("#%d", row.MessageID), row.Said(), row.By, strings.Join(row.Evidence, ", "), weights(row),
		})
	}
	if len(rows) > 0 {
		p.table(columns("Test", "Message", "Found…", "By?", "Source?", "Bits…"), rows)
		p.print("\n")
	}
	p.suppositions(r.If)
	p.findingsOnErr(r.Findings)
	p.next("brenner", "next", r.ThreadID)
}

// weights says how many bits a result moved each world by, hypotheses by number.
func weights(row *science.ReasonRow) string {
	if row.Likelihoods == nil {
		return "not counted"
	}
	var parts []string
	for _, w := range science.Ordered(row.Weight) {
		if bits := row.Weight[w]; bits != nil {
			parts = append(parts, fmt.Sprintf("%s %+.2f", w, *bits))
		}
	}
	return strings.Join(parts, ", ")
}

// suppositions lists what would be believed otherwise; those that change the leader come first.
func (p *printer) suppositions(list []science.If) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b science.If) int {
		switch {
		case a.ChangesLeader == b.ChangesLeader:
			return 0
		case a.ChangesLeader:
			return -1
		}
		return 1
	})
	var rows [][]string
	for _, i := range list {
		mark := ""
		if i.ChangesLeader {
			mark = "leader changes"
		}
		rows = append(rows, []string{i.Name, i.Leader, percent(i.Pooled[i.Leader]), mark})
	}
	if len(rows) > 0 {
		p.table(columns("If…", "Leader", "Pooled", "?"), rows)
	}
}
