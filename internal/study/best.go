package study

import (
	"math"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/quantity"
	"brenner/internal/science"
)

// Best is the test to do next: the most information for its effort.
type Best struct {
	science.Advice
	Item      *artifact.Item
	Href      string
	Runner    *science.Advice // the next best; nil if there is none
	Apart     []Pair          // of living hypotheses that it tells apart
	Cost      string          // in words with dots: more is better
	Speed     string
	Control   string
	Procedure string
	Outlooks  []Outlook
	Hills     *figure.Hills // nil: it measures nothing
}

// Outlook is what would be believed after one of its outcomes.
type Outlook struct {
	Label  string
	P      float64
	Shares []figure.Share

	InHundred string // how often it is expected
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
	best.Procedure, best.Control = best.Item.Text(artifact.Procedure), best.Item.Text(artifact.PotencyCheck)
	best.Cost, best.Speed = grade(best.Item.Score(), "cost", "dear", "cheap"), grade(best.Item.Score(), "speed", "slow", "fast")
	best.Outlooks, best.Hills = b.outlooks(best.Test)
	return best
}

// grade words a part of a score, with dots: more is better.
func grade(score artifact.Score, part, least, most string) string {
	points, ok := score.Points(part)
	if !ok {
		return part + " not said"
	}
	n := int(math.Round(points))
	word := map[int]string{0: "very " + least, 1: least, 2: "middling in " + part, 3: most}[n]
	return word + " " + strings.Repeat("●", n) + strings.Repeat("○", 3-n)
}

// outlooks are what the test might find: its labels, or the parts of its range in which one world leads.
func (b *builder) outlooks(id artifact.ItemID) ([]Outlook, *figure.Hills) {
	if f := b.Account.Forecast(id); f != nil {
		return b.stretches(id, f)
	}
	var list []Outlook
	outlooks := b.Account.Outlooks(id)
	odds := make([]float64, len(outlooks))
	for i, o := range outlooks {
		odds[i] = o.P
	}
	for i, hundred := range Percents(odds) {
		list = append(list, Outlook{outlooks[i].Label, outlooks[i].P, b.shares(outlooks[i].Posterior), hundred})
	}
	return list, nil
}

func (b *builder) stretches(id artifact.ItemID, f *science.Forecast) ([]Outlook, *figure.Hills) {
	q := b.Account.Table(id).Quantity
	all := f.Stretches(b.Account.Worlds)
	hills := &figure.Hills{Label: "What the agents expect " + string(id) + " to give", Low: f.Low, High: f.High, Unit: q.Unit,
		Log: q.Scale == quantity.Log}
	odds := make([]float64, len(all))
	for i, s := range all {
		odds[i] = s.P
		if i > 0 {
			hills.Cuts = append(hills.Cuts, s.From)
		}
	}
	for _, world := range slices.Backward(b.ordered()) {
		w := slices.IndexFunc(b.Account.Worlds, func(w science.World) bool { return w.ID() == world })
		part := make([]float64, len(f.Parts))
		for o := range part {
			part[o] = f.Parts[o][w]
		}
		hills.IDs, hills.Parts = append(hills.IDs, world), append(hills.Parts, part)
	}
	var list []Outlook
	for i, hundred := range Percents(odds) {
		list = append(list, Outlook{q.Between(all[i].From, all[i].To), all[i].P, b.shares(all[i].Posterior), hundred})
	}
	return list, hills
}
