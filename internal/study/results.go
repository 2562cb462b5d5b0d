package study

import (
	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/science"
)

// Result is one result or attempt of a test, with everything that is its own (SCIENCE 2).
type Result struct {
	science.ResultRow
	Said       string // outcome, value or what was unforeseen; empty for an attempt
	Day        string // on which it was recorded
	Recorder   figure.Agent
	Withdrawal *science.Withdrawal // who took it back; nil: nobody
}

// NotCounted reports whether a result stands and does not count.
func (r Result) NotCounted() bool { return !r.Counted && r.Stands() }

// Stands reports whether a result stands.
func (r Result) Stands() bool {
	return r.Standing == science.Main || r.Standing == science.Replication
}

// given lists every result and attempt by its test, oldest first.
func (b *builder) given() map[artifact.ItemID][]Result {
	gone := map[int]*science.Withdrawal{}
	for i, w := range b.Science.Results.Withdrawals.All() {
		gone[w.Result] = &b.Science.Results.Withdrawals.All()[i]
	}
	list := map[artifact.ItemID][]Result{}
	for i, row := range b.Science.ResultRows() {
		r := Result{ResultRow: row, Said: row.Said(), Day: row.At[:len("2006-01-02")], Recorder: b.Cast.Of(row.By)}
		if row.Standing == science.Withdrawn {
			r.Withdrawal = gone[i+1]
		}
		list[row.Test] = append(list[row.Test], r)
	}
	return list
}
