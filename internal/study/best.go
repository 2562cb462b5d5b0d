package study

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/science"
)

// Best is the test to do next: the most information for its effort.
type Best struct {
	science.Advice
	Item     *artifact.Item
	Href     string
	Runner   *science.Advice // the next best; nil if there is none
	Apart    []Pair          // of living hypotheses that it tells apart
	Outlooks []Outlook
}

// Outlook is what would be believed after one of its outcomes.
type Outlook struct {
	Label  string
	P      float64
	Shares []figure.Share
}

// best is the first of the ranking, unless it cannot tell anything.
func (b *builder) best(m *Matrix) *Best {
	if first := b.ranking.Best(); first == nil || first.Bits == 0 {
		return nil
	}
	best := &Best{Advice: b.ranking.Tests[0]}
	best.Item, best.Href = b.Artifact.Item(best.Test), b.Links.Item(best.Test)
	if len(b.ranking.Tests) > 1 && b.ranking.Tests[1].Blocked == nil {
		best.Runner = &b.ranking.Tests[1]
	}
	row := m.Tests[slices.IndexFunc(m.Tests, func(r Row) bool { return r.ID == string(best.Test) })]
	for _, p := range m.Pairs {
		if row.Apart[p.Key()] {
			best.Apart = append(best.Apart, p)
		}
	}
	for _, o := range b.Account.Outlooks(best.Test) {
		best.Outlooks = append(best.Outlooks, Outlook{o.Label, o.P, b.shares(o.Posterior)})
	}
	return best
}
