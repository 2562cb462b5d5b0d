package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

func newBeliefs(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "beliefs T",
		Short: "Show how likely the agents hold each hypothesis",
		Long: `Show how likely each hypothesis is for the agents that have stated credences: the mean over the families of
their models, so that many agents of one model have one vote, after every result that was recorded since they spoke. While no agent
has stated any, all worlds begin equal. "none" is the world in which no hypothesis of the slate is right.`,
		Example:           "  brenner beliefs RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Beliefs, func(answer usecase.BeliefsAnswer) report { return beliefsReport{answer} })
}

type beliefsReport struct{ usecase.BeliefsAnswer }

func (r beliefsReport) show(p *printer) {
	var rows [][]string
	for _, w := range r.Worlds {
		rows = append(rows, []string{w.ID, percent(w.Pooled), bar(w.Pooled), spread(w.Agents), w.Name})
	}
	p.table(columns("World", "Pooled", "?", "Agents?", "Name…"), rows)
	p.line("", fmt.Sprintf("%s: entropy %.2f bits, disagreement %.2f bits, %s", r.Verdict, r.EntropyBits, r.DisagreementBits,
		voices(len(r.Worlds[0].Agents), len(r.Worlds[0].Families))))
	for _, s := range r.Statements {
		if s.Rationale != "" {
			p.line("", fmt.Sprintf("%s #%d: %s", visible(s.Agent), s.MessageID, visible(protocol.Brief(s.Rationale))))
		}
	}
	if n := len(r.History); n > 0 {
		p.line("", fmt.Sprintf("the pool moved with %s, last with #%d", count(n, "message"), r.History[n-1].MessageID))
	}
	p.findingsOnErr(r.Findings)
	p.next("brenner", "next", r.ThreadID)
}

// voices says whose beliefs these are.
func voices(agents, families int) string {
	switch {
	case agents == 0:
		return "no credences are stated: all worlds began equal"
	case families == 1:
		return count(agents, "agent") + " of one family, with one vote"
	}
	return fmt.Sprintf("%s of %d families, one vote each", count(agents, "agent"), families)
}

func percent(p float64) string { return fmt.Sprintf("%5.1f %%", 100*p) }

// bar draws a probability.
func bar(p float64) string {
	const width = 20
	full := int(p*width + 0.5)
	return strings.Repeat("█", full) + strings.Repeat("·", width-full)
}

// spread shows the lowest and the highest of the agents' numbers.
func spread(agents map[string]float64) string {
	if len(agents) == 0 {
		return "-"
	}
	lo, hi := 1.0, 0.0
	for _, p := range agents {
		lo, hi = min(lo, p), max(hi, p)
	}
	return fmt.Sprintf("%.0f–%.0f %%", 100*lo, 100*hi)
}
