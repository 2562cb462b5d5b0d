package science

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/textnorm"
)

// CellVerdict is how a result stands to what a hypothesis expects of its test.
type CellVerdict string

// The verdicts on a cell (SCIENCE 4, verdict in the matrix).
const (
	Untold       CellVerdict = "" // the result says nothing about it
	AsExpected   CellVerdict = "as expected"
	Contradicted CellVerdict = "contradicted"
)

// maxDeviations is how many standard deviations a value may lie off and still be as expected.
const maxDeviations = 2

// Judge holds a text that a hypothesis expects against a result: labels are compared after normalising, values by their distance z,
// which is nil for a label. What is no label of the test, has no error, or was unforeseen tells nothing.
func (s *State) Judge(g *Result, expected string) (verdict CellVerdict, z *float64) {
	return s.TableOf(g.Test).judge(g, expected)
}

func (t *Table) judge(g *Result, expected string) (CellVerdict, *float64) {
	o, ok := t.outcome(g)
	switch {
	case !ok || o.Unforeseen || !Expects(expected):
		return Untold, nil
	case t.Quantity == nil && textnorm.Label(expected) == t.Keys[o.Label]:
		return AsExpected, nil
	case t.Quantity == nil:
		return Contradicted, nil
	}
	spread, err := t.Quantity.Spread(expected)
	if err != nil {
		return Untold, nil
	}
	z := t.Quantity.Distance(spread, o.Value)
	if z <= maxDeviations {
		return AsExpected, &z
	}
	return Contradicted, &z
}

// allContradicted reports whether every active hypothesis is contradicted in a cell that was locked, by a main result that counts
// (SCIENCE 4, ALL_CONTRADICTED).
func (a *Account) allContradicted() bool {
	refuted := map[World]bool{}
	cites := a.citations()
	for i, cells := range a.Predictions.Tests.All() {
		id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
		main := a.Results.Stands(id)
		if cells == nil || main == nil || !a.counted(main, cites) {
			continue
		}
		look, r, table := a.Results.FirstLook(id), a.Results.R(id), a.TableOf(id)
		for _, c := range cells.Cells {
			if c.last().Text == nil || c.state(look, r) != Locked {
				continue
			}
			if verdict, _ := table.judge(main, *c.last().Text); verdict == Contradicted {
				refuted[World(hypothesisNumber(c.Hypothesis))] = true
			}
		}
	}
	for _, w := range a.Worlds[:len(a.Worlds)-1] {
		if !refuted[w] {
			return false
		}
	}
	return len(a.Worlds) > 1
}

// Verdict is what a session has come to, in one word that every page uses (SCIENCE 6).
type Verdict string

// The verdicts on a session.
const (
	Settled   Verdict = "settled"
	Leaning   Verdict = "leaning"
	Undecided Verdict = "undecided"
	Unsaid    Verdict = "unsaid"
)

// settledAt is the belief at which a hypothesis settles a session.
const settledAt = 0.9

// Verdict is what the session has come to.
func (a *Account) Verdict() Verdict {
	if !a.Stated() && len(a.ledger) == 0 {
		return Unsaid
	}
	return a.verdictOn(a.Worlds, a.Pooled)
}

// VerdictOn is what the session would come to with another pool.
func (a *Account) VerdictOn(pooled map[string]float64) Verdict {
	var worlds []World
	var p []float64
	for _, id := range Ordered(pooled) {
		worlds, p = append(worlds, WorldOf(id)), append(p, pooled[id])
	}
	return a.verdictOn(worlds, p)
}

func (a *Account) verdictOn(worlds []World, pooled []float64) Verdict {
	lead, leaning := leader(worlds, pooled), true
	top := pooled[slices.Index(worlds, lead)]
	for i, w := range worlds {
		leaning = leaning && (w == lead || top >= 2*pooled[i]-leastMoved)
	}
	switch {
	case lead != None && top >= settledAt-leastMoved && !a.allContradicted():
		return Settled
	case leaning:
		return Leaning
	}
	return Undecided
}

// Leader is the world that is believed most: ties go to the lowest number, None comes last.
func (a *Account) Leader() World { return leader(a.Worlds, a.Pooled) }

// Top is how much belief the leader has.
func (a *Account) Top() float64 { return a.Pooled[slices.Index(a.Worlds, a.Leader())] }
