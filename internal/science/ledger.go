package science

import (
	"cmp"
	"math"
	"slices"

	"brenner/internal/artifact"
)

// entry is a result that counts, as belief is updated by it.
type entry struct {
	*Result
	table   *Table
	outcome Outcome
	nth     int // of the results of its test that count, in message order, from 1
}

// power is 1/j: a replication shares its method's faults.
func (e *entry) power() float64 { return 1 / float64(e.nth) }

// ledger are the results that count, in the order in which belief is updated by them: by message, then by test.
type ledger []entry

func newLedger(byTest map[artifact.ItemID][]entry) ledger {
	var l ledger
	for _, entries := range byTest {
		l = append(l, entries...)
	}
	slices.SortFunc(l, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Test.Number(), b.Test.Number()))
	})
	return l
}

// from are the entries behind a place.
func (l ledger) from(place int) ledger {
	at, _ := slices.BinarySearchFunc(l, place+1, func(e entry, place int) int { return cmp.Compare(e.Place, place) })
	return l[at:]
}

// upTo are the entries up to a place.
func (l ledger) upTo(place int) ledger { return l[:len(l)-len(l.from(place))] }

// without leaves out updates; the others of a test are counted anew.
func (l ledger) without(gone func(e *entry) bool) ledger {
	var kept ledger
	nth := map[artifact.ItemID]int{}
	for _, e := range l {
		if gone(&e) {
			continue
		}
		nth[e.Test]++
		e.nth = nth[e.Test]
		kept = append(kept, e)
	}
	return kept
}

// countedAt lists the results of a test that count behind a place, in message order (SCIENCE 2, counted).
func (s *State) countedAt(id artifact.ItemID, place int, table *Table) []entry {
	var standing []*Result
	for _, g := range s.Results.Of(id) {
		if g.stood(place) {
			standing = append(standing, g)
		}
	}
	return countedOf(standing, table)
}

// countedOf lists those of a test's standing results that count.
func countedOf(standing []*Result, table *Table) []entry {
	sources := citationsOf(standing)
	var list []entry
	for _, g := range standing {
		o, measured := table.outcome(g)
		if measured && g.Potency != PotencyFailed && (!g.Replication || sources.sourced(g)) {
			list = append(list, entry{g, table, o, len(list) + 1})
		}
	}
	return list
}

// replaced is a ledger had some tests other main results, which are not in it. A replication that shared its source with the old one
// has it alone then, and counts.
func (a *Account) replaced(l ledger, other func(artifact.ItemID) bool) ledger {
	byTest := map[artifact.ItemID][]entry{}
	for _, e := range l {
		if !other(e.Test) {
			byTest[e.Test] = append(byTest[e.Test], e)
		}
	}
	for i, t := range a.Results.Tests.All() {
		id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
		if t == nil || t.Replications == 0 || !other(id) {
			continue
		}
		replications := slices.DeleteFunc(a.Results.Of(id), func(g *Result) bool { return g.Standing != Replication })
		byTest[id] = countedOf(replications, a.Table(id))
	}
	return newLedger(byTest)
}

// scale divides by the sum; false, and nothing done, if there is nothing to scale.
func scale(masses []float64) bool {
	sum := 0.0
	for _, p := range masses {
		sum += p
	}
	if sum <= 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return false
	}
	for i := range masses {
		masses[i] /= sum
	}
	return true
}

func equal(n int) []float64 {
	masses := make([]float64, n)
	for i := range masses {
		masses[i] = 1 / float64(n)
	}
	return masses
}
