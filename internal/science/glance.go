package science

import (
	"math"
	"slices"

	"brenner/internal/artifact"
)

// Glance is what a list of questions tells of one: what is believed, what is still open and what was run. Its numbers are those of
// the BeliefReport.
type Glance struct {
	Verdict   Verdict
	AllFailed bool          // every explanation has failed a test (ALL_CONTRADICTED)
	Worlds    []GlanceWorld // the living by belief, then None
	Bits      float64       // left to learn
	Course    []float64     // bits left after each message that moved belief
	Run       int           // tests with a result that stands
	Tests     int           // tests with a result that stands, and those that could still be done
	Moved     *Movement     // nil: no message has moved belief by so much
}

// GlanceWorld is what is believed of a world.
type GlanceWorld struct {
	World World
	Name  string
	P     float64
}

// Movement is the last message that moved belief so far that a reader should hear of it.
type Movement struct {
	Mark
	Points     float64         // how far the share moved that moved most, from 0 to 1
	Leader     float64         // what was believed before of the world that leads now; -1: it was not there
	Test       artifact.ItemID // whose result it was; empty: it was no result
	Unforeseen bool            // nobody had foreseen that result
}

// leastTold is how far a share must have moved for a list to tell what moved it.
const leastTold = 0.05

// Glance sums up what the agents believe.
func (a *Account) Glance() Glance {
	g := Glance{Verdict: a.Verdict(), AllFailed: a.allContradicted(), Bits: Entropy(a.Pooled)}
	for i, w := range a.Worlds {
		g.Worlds = append(g.Worlds, GlanceWorld{w, a.name(w), a.Pooled[i]})
	}
	slices.SortStableFunc(g.Worlds, func(x, y GlanceWorld) int {
		switch {
		case x.World == None || y.World != None && x.P < y.P:
			return 1
		case y.World == None || x.P > y.P:
			return -1
		}
		return 0
	})
	for _, m := range a.History {
		g.Course = append(g.Course, Entropy(m.Pooled))
	}
	for i, t := range a.Beliefs.Tests.All() {
		stands := a.Results.Stands(artifact.NewItemID(artifact.DiscriminativeTests, i+1)) != nil
		if stands {
			g.Run++
		}
		if stands || t != nil && !t.Killed {
			g.Tests++
		}
	}
	g.Moved = a.movement()
	return g
}

// movement finds the last message that moved a share by five points or more.
func (a *Account) movement() *Movement {
	lead := a.Leader()
	for i := len(a.History) - 1; i > 0; i-- {
		before, after := a.History[i-1], a.History[i]
		was, is := holding{worlds: before.Worlds, masses: before.Pooled}, holding{worlds: after.Worlds, masses: after.Pooled}
		points := 0.0
		for _, w := range append(slices.Clone(is.worlds), was.worlds...) {
			points = math.Max(points, math.Abs(is.p(w)-was.p(w)))
		}
		if points < leastTold-leastMoved {
			continue
		}
		m := &Movement{Mark: a.History[i].Mark, Points: points, Leader: -1}
		if slices.Contains(was.worlds, lead) {
			m.Leader = was.p(lead)
		}
		for _, r := range a.Results.Given.All() {
			if r.MessageID == m.MessageID && !r.NoResult {
				m.Test, m.Unforeseen = r.Test, r.Unforeseen != ""
			}
		}
		return m
	}
	return nil
}
