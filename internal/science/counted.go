package science

import (
	"slices"

	"brenner/internal/artifact"
)

// Counted reports whether a result counts in belief, reasons and calibration (SCIENCE 2, counted): it stands, its control
// did not fail, it says something its test has a place for, and a replication has a source of its own.
func (s *State) Counted(g *Result) bool { return s.counted(g, s.citations()) }

func (s *State) counted(g *Result, c citations) bool {
	return g.stands() && s.uncounted(g, c) == ""
}

// uncounted says why a result that stands does not count; empty if it does, or does not stand.
func (s *State) uncounted(g *Result, c citations) string {
	switch {
	case !g.stands():
		return ""
	case g.Potency == PotencyFailed:
		return "control failed"
	case !s.measured(g):
		return s.unmeasured(g)
	case g.Replication && !c[g.Test].sourced(g):
		return "no source of its own"
	}
	return ""
}

// unmeasured says what a result lacks that its test could take.
func (s *State) unmeasured(g *Result) string {
	quantity := s.TableOf(g.Test).Quantity != nil
	switch {
	case g.Value != nil && quantity && !g.Value.HasError():
		return "no error"
	case g.Outcome == "" && g.Value == nil:
		return "no outcome"
	case quantity:
		return "no value of its quantity"
	}
	return "no label"
}

// measured reports whether a result says a label of its test, a value with its error, or what nobody had foreseen.
func (s *State) measured(g *Result) bool {
	if g.Unforeseen != "" {
		return true
	}
	_, ok := s.TableOf(g.Test).outcome(g)
	return ok
}

// TableOf returns the common table that a result of a test is held against: the one that stood just before its first look, else that of
// now. Rows that others stated are taken together without regard to families: labels and cells do not depend on them.
func (s *State) TableOf(id artifact.ItemID) *Table {
	m := tableMaker{State: s, family: func(string) string { return "" }}
	return m.table(id, s.Results.FirstLook(id))
}

// citations count for each test how many of its standing results cite a source.
type citations map[artifact.ItemID]sources

// sources count how many of a test's standing results cite each.
type sources map[string]int

func (s *State) citations() citations {
	byTest := map[artifact.ItemID][]*Result{}
	for _, g := range s.Results.Given.All() {
		if g.stands() {
			byTest[g.Test] = append(byTest[g.Test], g)
		}
	}
	c := citations{}
	for id, standing := range byTest {
		c[id] = citationsOf(standing)
	}
	return c
}

func citationsOf(standing []*Result) sources {
	c := sources{}
	for _, g := range standing {
		for _, source := range g.Sources() {
			c[source]++
		}
	}
	return c
}

// sourced reports whether a replication cites a source that no other standing result of its test cites; that of a
// convener needs none.
func (c sources) sourced(g *Result) bool { return g.Convener || c.ownSource(g) }

func (c sources) ownSource(g *Result) bool {
	return slices.ContainsFunc(g.Sources(), func(source string) bool { return c[source] == 1 })
}
