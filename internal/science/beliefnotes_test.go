package science_test

import (
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
	"brenner/internal/science"
)

// told are the findings of a code that beliefs show.
func (th *thread) told(code protocol.Code) []protocol.Finding {
	account := th.state.Account(th.state.People(nil, func(science.Agent) string { return "unknown" }))
	return slices.DeleteFunc(account.Report().Findings, func(f protocol.Finding) bool { return f.Code != code })
}

// TestBeliefFindings: each finding of SCIENCE 4 where it belongs, and not where it does not.
func TestBeliefFindings(t *testing.T) {
	measured := fields{"quantity": fields{"unit": "h", "range": []float64{0, 100}}}
	foreseen := "```belief\n{\"likelihoods\":{\"T1\":{\"labels\":[\"down\",\"Up.\"],\"H1\":[0.9,0.1]}," +
		"\"T2\":{\"H1\":\"20 ± 3 h\",\"H2\":\"> 50\"}}}\n```\n"
	for name, c := range map[string]struct {
		then func(th *thread)
		want map[protocol.Code]int
	}{
		"nothing": {func(*thread) {}, nil},
		"other labels": {func(th *thread) {
			th.post("B", "INFO: rows", strings.Replace(foreseen, "Up.", "sideways", 1))
		}, map[protocol.Code]int{protocol.LabelsDiffer: 1}},
		"the same labels in another order": {func(th *thread) { th.post("B", "INFO: rows", foreseen) }, nil},
		"labels for a quantity": {func(th *thread) {
			th.post("B", "INFO: rows", "```belief\n{\"likelihoods\":{\"T2\":{\"labels\":[\"a\",\"b\"],\"H1\":[0.9,0.1]}}}\n```\n")
		}, map[protocol.Code]int{protocol.LabelsDiffer: 1}},
		"words for a quantity": {func(th *thread) {
			th.post("B", "INFO: rows", strings.Replace(foreseen, "20 ± 3 h", "about 20", 1))
			th.delta("A", editTest("T2", fields{"expected_outcomes": fields{"H1": "12 parsec"}}))
		}, map[protocol.Code]int{protocol.CellNotNumeric: 2}},
		"a value without an error": {func(th *thread) {
			th.found("T2", fields{"value": fields{"x": 20}})
		}, map[protocol.Code]int{protocol.ValueWithoutError: 1}},
		"all are contradicted": {func(th *thread) {
			th.found("T2", fields{"value": "45 ± 1 h"})
		}, map[protocol.Code]int{protocol.AllContradicted: 1}},
		"by one test each": {func(th *thread) {
			th.found("T1", fields{"outcome": "down"})
			th.found("T2", fields{"value": "20 ± 1"})
		}, map[protocol.Code]int{protocol.AllContradicted: 1, protocol.Restated: 0}},
		"one of them after the look": {func(th *thread) {
			th.found("T2", fields{"value": "45 ± 1 h"})
			th.delta("A", editTest("T2", fields{"expected_outcomes": fields{"H1": "21 ± 3"}}))
		}, nil},
		"restated": {func(th *thread) {
			th.found("T1", fields{"outcome": "down"})
			th.states("A", `{"H1":0.5,"H2":0.3,"none":0.2}`)
		}, map[protocol.Code]int{protocol.Restated: 1}},
		"restated without a result": {func(th *thread) { th.states("A", `{"H1":0.1,"H2":0.7,"none":0.2}`) }, nil},
		"restated as the numbers say": {func(th *thread) {
			th.found("T1", fields{"outcome": "down"})
			th.states("A", `{"H1":0.08,"H2":0.72,"none":0.2}`)
		}, nil},
		// The earlier numbers are those of just before the message, which replaces the result in them.
		"restated with another result": {func(th *thread) {
			th.found("T1", fields{"outcome": "down"})
			th.send("A", editTest("T1", ran("up")), "```belief\n{\"credences\":{\"H1\":0.5,\"H2\":0.3,\"none\":0.2}}\n```\n")
		}, map[protocol.Code]int{protocol.Restated: 1}},
		"stale": {func(th *thread) {
			first := th.found("T1", fields{"outcome": "down"})
			th.states("A", `{"H1":0.08,"H2":0.72,"none":0.2}`)
			th.delta("Operator", editTest("T1", fields{"last_run": fields{"withdraws": first, "reason": "spilt"}}))
		}, map[protocol.Code]int{protocol.StaleCredences: 1}},
		"withdrawn before anybody spoke": {func(th *thread) {
			first := th.found("T1", fields{"outcome": "down"})
			th.delta("Operator", editTest("T1", fields{"last_run": fields{"withdraws": first, "reason": "spilt"}}))
			th.states("A", `{"H1":0.4,"H2":0.4,"none":0.2}`)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			th := newThread(t)
			th.delta("A", addHypothesis("one"), addHypothesis("two"), addTest(fields{"H1": "up", "H2": "down"}),
				addTest(fields{"H1": "20 ± 3 h", "H2": "60–80"}, measured))
			th.states("A", `{"H1":0.4,"H2":0.4,"none":0.2}`)
			c.then(th)
			for _, code := range []protocol.Code{protocol.LabelsDiffer, protocol.CellNotNumeric, protocol.ValueWithoutError,
				protocol.AllContradicted, protocol.Restated, protocol.StaleCredences, protocol.ImpossibleOutcome} {
				if got := th.told(code); len(got) != c.want[code] {
					t.Errorf("%s: %d, want %d: %v", code, len(got), c.want[code], got)
				}
			}
		})
	}
}
