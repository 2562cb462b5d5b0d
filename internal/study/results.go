package study

import (
	"fmt"
	"strings"

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

// Stands reports whether a result stands.
func (r Result) Stands() bool {
	return r.Standing == science.Main || r.Standing == science.Replication
}

// Control says whether the control worked; empty if nobody said so, or if that is why the result does not count.
func (r Result) Control() string {
	if r.Potency == nil || r.Uncounted != "" && *r.Potency == science.PotencyFailed {
		return ""
	}
	return *r.Potency
}

// Fate says what became of a result, in words: replication, repeats #6, not counted.
func (r Result) Fate() string {
	parts := []string{string(r.Standing)}
	if r.Standing == science.Main {
		parts[0] = "main result"
	}
	if w := r.Withdrawal; w != nil {
		parts[0] = fmt.Sprintf("withdrawn by %s in #%d", w.By, w.MessageID)
		if w.Reason != "" {
			parts[0] += " (" + w.Reason + ")"
		}
	}
	switch by := r.ReplacedBy; {
	case by != nil && r.Standing == science.Replaced:
		parts[0] = fmt.Sprintf("replaced by #%d", *by)
	case by != nil:
		parts = append(parts, fmt.Sprintf("replaced by #%d", *by))
	}
	if r.Replicates != nil {
		parts = append(parts, fmt.Sprintf("repeats #%d", *r.Replicates))
	}
	if r.Exploratory {
		parts = append(parts, "exploratory")
	}
	if r.Uncounted != "" {
		parts = append(parts, "not counted: "+r.Uncounted)
	}
	if r.Performed != nil {
		parts = append(parts, "performed "+*r.Performed)
	}
	if control := r.Control(); control != "" {
		parts = append(parts, "control "+control)
	}
	return strings.Join(parts, ", ")
}

// Results lists every result and attempt of a thread by its test, oldest first.
func Results(state *science.State, cast Cast) map[artifact.ItemID][]Result {
	list := map[artifact.ItemID][]Result{}
	for _, r := range allResults(state, cast) {
		list[r.Test] = append(list[r.Test], r)
	}
	return list
}

// allResults lists every result and attempt of a thread, oldest first: the n-th has the number n+1.
func allResults(state *science.State, cast Cast) []Result {
	gone := map[int]*science.Withdrawal{}
	for i, w := range state.Results.Withdrawals.All() {
		gone[w.Result] = &state.Results.Withdrawals.All()[i]
	}
	var list []Result
	for i, row := range state.ResultRows() {
		r := Result{ResultRow: row, Said: row.Said(), Day: row.At[:len("2006-01-02")], Recorder: cast.Of(row.By)}
		if row.Standing == science.Withdrawn {
			r.Withdrawal = gone[i+1]
		}
		list = append(list, r)
	}
	return list
}
