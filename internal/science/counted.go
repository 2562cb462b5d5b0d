package science

import (
	"slices"

	"brenner/internal/artifact"
)

// Counted reports whether a result counts in belief, reasons and calibration (SCIENCE 2, counted): it stands, its control
// did not fail, it says something its test has a place for, and a replication has a source of its own.
func (s *State) Counted(g *Result) bool { return s.counted(g, s.citations()) }

func (s *State) counted(g *Result, c citations) bool {
	return g.stands() && g.Potency != PotencyFailed && s.measured(g) && (!g.Replication || c.sourced(g))
}

// measured reports whether a result says a label of its test, a value with its error, or what nobody had foreseen.
func (s *State) measured(g *Result) bool {
	q := s.Results.Test(g.Test).Quantity
	switch {
	case g.Unforeseen != "":
		return true
	case q != nil:
		return g.Value != nil && q.Check(*g.Value) == nil
	case g.Outcome != "":
		table := s.Beliefs.TableOf(g.Test)
		return table.label(g.Outcome) >= 0
	}
	return false
}

// citations count for each test how many of its standing results cite a source.
type citations map[artifact.ItemID]map[string]int

func (s *State) citations() citations {
	c := citations{}
	for _, g := range s.Results.Given.All() {
		if !g.stands() {
			continue
		}
		if c[g.Test] == nil {
			c[g.Test] = map[string]int{}
		}
		for i, source := range g.Evidence {
			if !slices.Contains(g.Evidence[:i], source) {
				c[g.Test][source]++
			}
		}
	}
	return c
}

// sourced reports whether a replication cites a source that no other standing result of its test cites; that of a
// convener needs none.
func (c citations) sourced(g *Result) bool {
	if g.Convener {
		return true
	}
	for _, source := range g.Evidence {
		if c[g.Test][source] == 1 {
			return true
		}
	}
	return false
}
