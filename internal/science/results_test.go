package science_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"brenner/internal/protocol"
	"brenner/internal/science"
)

// results writes down each result and attempt: test, message, outcome, status, what became of it.
func (th *thread) results() []string {
	list := []string{}
	for _, r := range th.state.Results.Given.All() {
		mark := ""
		if r.Exploratory {
			mark = " exploratory"
		}
		list = append(list, fmt.Sprintf("%s #%d %s %s%s: %s", r.Test, r.MessageID, r.Text(), r.Status, mark, r.Standing))
	}
	return list
}

// TestResults: which messages give a test a result, and which of them stands (SCIENCE 2). Each edit is a message of its
// own, from #20 on.
func TestResults(t *testing.T) {
	outcome := func(text any) fields { return fields{"last_run": fields{"outcome": text}} }
	run := func(run fields) fields { return fields{"last_run": run} }
	for _, test := range []struct {
		name   string
		edits  []fields
		want   []string
		result int64 // R
	}{
		{"an outcome without a status", []fields{outcome("kept")}, []string{"T1 #20 kept : main"}, 20},
		{"a blank outcome", []fields{outcome("  ")}, []string{}, 0},
		{"an outcome that is no text", []fields{outcome(7)}, []string{}, 0},
		{"another key's case", []fields{{"last_run": fields{"Outcome": "kept"}}}, []string{}, 0},
		{"a last_run that is no object", []fields{{"last_run": "kept"}}, []string{}, 0},
		{"a status alone", []fields{{"status": "failed"}}, []string{"T1 #20  failed: main"}, 20},
		{"a status that was there", []fields{{"status": "failed"}, {"status": "failed"}}, []string{"T1 #20  failed: main"}, 20},
		{"untested", []fields{{"status": "untested"}}, []string{}, 0},
		{"a value", []fields{run(fields{"value": "73 ± 1"})}, []string{"T1 #20 73 ± 1 : main"}, 20},
		{"a value as an object", []fields{run(fields{"value": fields{"x": 73, "plus": 2, "minus": 1}})}, []string{"T1 #20 73 +2 -1 : main"},
			20},
		{"a value that is none", []fields{run(fields{"value": "a lot"})}, []string{}, 0},
		{"unforeseen", []fields{run(fields{"unforeseen": "it glowed"})}, []string{"T1 #20 it glowed : main"}, 20},
		{"blocked with an outcome", []fields{{"status": "blocked", "last_run": fields{"outcome": "kept"}}},
			[]string{"T1 #20  blocked: attempt"}, 0},
		{"a withdrawal by an attempt", []fields{ran("kept"), {"status": "error", "last_run": fields{"withdraws": 20}}},
			[]string{"T1 #20 kept passed: main", "T1 #30  error: attempt"}, 20},
		{"unblocked later", []fields{{"status": "error", "last_run": fields{"outcome": "kept"}}, {"status": "untested"}},
			[]string{"T1 #20  error: attempt"}, 0},
		{"actual outcomes", []fields{{"actual_outcomes": fields{"H1": "kept"}}}, []string{"T1 #20  : main"}, 20},
		{"actual outcomes that were there", []fields{{"actual_outcomes": fields{"H1": "kept"}}, run(fields{"withdraws": 20}),
			{"actual_outcomes": fields{"H1": "kept"}}},
			[]string{"T1 #20  : withdrawn"}, 20},
		{"another outcome", []fields{ran("kept"), ran("lost")}, []string{"T1 #20 kept passed: replaced", "T1 #30 lost passed: main"}, 20},
		{"the same outcome again", []fields{ran("kept"), ran("kept")}, []string{"T1 #20 kept passed: replaced", "T1 #30 kept passed: main"},
			20},
		{"another status", []fields{ran("kept"), {"status": "failed"}}, []string{"T1 #20 kept passed: main"}, 20},
		{"an outcome taken back", []fields{ran("kept"), {"last_run": nil}}, []string{"T1 #20 kept passed: main"}, 20},
		{"broken later", []fields{ran("kept"), {"status": "error"}}, []string{"T1 #20 kept passed: main", "T1 #30  error: attempt"}, 20},
		{"exploratory, then not", []fields{explored("kept"), ran("lost")},
			[]string{"T1 #20 kept passed exploratory: replaced", "T1 #30 lost passed: main"}, 30},
		{"exploratory twice", []fields{explored("kept"), explored("lost")},
			[]string{"T1 #20 kept passed exploratory: replaced", "T1 #30 lost passed exploratory: main"}, 20},
		{"exploratory afterwards", []fields{ran("kept"), explored("lost")},
			[]string{"T1 #20 kept passed: main", "T1 #30 lost passed exploratory: attempt"}, 20},
		{"a replication", []fields{ran("kept"), run(fields{"outcome": "kept", "replicates": 20})},
			[]string{"T1 #20 kept passed: main", "T1 #30 kept : replication"}, 20},
		{"a replication of nothing", []fields{ran("kept"), run(fields{"outcome": "kept", "replicates": 77})},
			[]string{"T1 #20 kept passed: main", "T1 #30 kept : replication"}, 20},
		{"a replication said badly", []fields{ran("kept"), run(fields{"outcome": "lost", "replicates": "the first"})},
			[]string{"T1 #20 kept passed: main", "T1 #30 lost : replication"}, 20},
		{"a replication of what is withdrawn", []fields{ran("kept"), run(fields{"outcome": "kept", "replicates": 20}),
			run(fields{"withdraws": 20})},
			[]string{"T1 #20 kept passed: withdrawn", "T1 #30 kept : replication"}, 20},
		{"withdrawn", []fields{ran("kept"), run(fields{"withdraws": 20, "reason": "a leak"})}, []string{"T1 #20 kept passed: withdrawn"},
			20},
		{"what was replaced does not come back", []fields{ran("kept"), ran("lost"), run(fields{"withdraws": 30})},
			[]string{"T1 #20 kept passed: replaced", "T1 #30 lost passed: withdrawn"}, 20},
		{"replaced, then withdrawn", []fields{ran("kept"), ran("lost"), run(fields{"withdraws": 20})},
			[]string{"T1 #20 kept passed: withdrawn", "T1 #30 lost passed: main"}, 20},
		{"an unknown one is withdrawn", []fields{ran("kept"), run(fields{"withdraws": 21})}, []string{"T1 #20 kept passed: main"}, 20},
		{"an attempt is withdrawn", []fields{{"status": "blocked"}, run(fields{"withdraws": 20})}, []string{"T1 #20  blocked: attempt"}, 0},
		{"a withdrawal comes before the result of its message", []fields{ran("kept"), run(fields{"withdraws": 20, "outcome": "lost"})},
			[]string{"T1 #20 kept passed: withdrawn", "T1 #30 lost : main"}, 20},
		{"a control that failed", []fields{run(fields{"outcome": "kept", "potency": "failed"}), ran("lost")},
			[]string{"T1 #20 kept : replaced", "T1 #30 lost passed: main"}, 30},
		{"only a control that failed", []fields{run(fields{"outcome": "kept", "potency": "failed"})}, []string{"T1 #20 kept : main"}, 0},
		{"exploratory after a withdrawal", []fields{ran("kept"), run(fields{"withdraws": 20}), explored("lost")},
			[]string{"T1 #20 kept passed: withdrawn", "T1 #40 lost passed exploratory: main"}, 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
			for _, edit := range test.edits {
				th.send("RedSky", editTest("T1", edit))
			}
			if d := cmp.Diff(test.want, th.results()); d != "" {
				t.Error(d)
			}
			var result int64
			if r := th.state.Results.R("T1"); r != nil {
				result = r.MessageID
			}
			if result != test.result {
				t.Errorf("R is message %d, want %d", result, test.result)
			}
		})
	}
}

// A killed test gives no more results, and its results can still be withdrawn.
func TestResultsOfKilledTests(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
	th.delta("RedSky", editTest("T1", ran("kept")))
	th.delta("RedSky", block("KILL", "discriminative_tests", "T1", fields{"reason": "too dear"}))
	th.send("RedSky", editTest("T1", ran("lost")))
	if d := cmp.Diff([]string{"T1 #20 kept passed: main"}, th.results()); d != "" {
		t.Error(d)
	}
	th.send("RedSky", editTest("T1", fields{"last_run": fields{"withdraws": 20}}))
	if d := cmp.Diff([]string{"T1 #20 kept passed: withdrawn"}, th.results()); d != "" {
		t.Error(d)
	}
}

// One message gives a test at most one result, that of its last block; each attempt is listed.
func TestOneResultOfAMessage(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}), addTest(fields{"H1": "kept"}))
	before := th.state.Snapshot()
	th.send("RedSky", editTest("T1", fields{"status": "blocked"}), editTest("T1", ran("kept")), editTest("T2", ran("up")),
		editTest("T1", ran("lost")))
	if d := cmp.Diff([]string{"T1 #20  blocked: attempt", "T1 #20 lost passed: main", "T2 #20 up passed: main"}, th.results()); d != "" {
		t.Error(d)
	}
	if before.Results.Given.Len() != 0 {
		t.Error("a snapshot changed")
	}
	if d := cmp.Diff([]string{"T1", "T2"}, texts(th.state.Results.GivenBy(20))); d != "" {
		t.Error(d)
	}
}

// A status or an actual outcome is a result only while the test has none: a later block of the same message that sets one
// does not put an empty result in the place of what was measured.
func TestStatusBehindAResult(t *testing.T) {
	for _, later := range []fields{{"status": "failed"}, {"actual_outcomes": fields{"H1": "kept"}}} {
		th := newThread(t)
		th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
		th.send("RedSky", editTest("T1", ran("kept")), editTest("T1", later))
		if d := cmp.Diff([]string{"T1 #20 kept passed: main"}, th.results()); d != "" {
			t.Error(d)
		}
	}
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}

// TestStands: an outcome is shown with the message, recorder and sources of that same outcome, never of
// another (SCIENCE 2).
func TestStands(t *testing.T) {
	type said struct {
		by   string
		edit fields
	}
	cited := func(outcome, source string) fields {
		return fields{"status": "passed", "last_run": fields{"outcome": outcome, "evidence": []string{source}}}
	}
	listed := func(outcome, source string) fields {
		return fields{"status": "passed", "last_run": fields{"outcome": outcome}, "evidence_refs": []string{source}}
	}
	first := said{"BlueLake", listed("kept", "EV-001")}
	for _, test := range []struct {
		name        string
		said        []said
		stands, own string
	}{
		{"one", []said{first}, "#20 BlueLake kept [EV-001]", "#20 BlueLake kept [EV-001]"},
		{"changed by another", []said{first, {"RedSky", listed("lost", "EV-002")}}, "#30 RedSky lost [EV-002]",
			"#20 BlueLake kept [EV-001]"},
		{"changed without a source", []said{first, {"RedSky", ran("lost")}}, "#30 RedSky lost []", "#20 BlueLake kept [EV-001]"},
		{"evidence of the run", []said{first, {"RedSky", cited("lost", "EV-003")}}, "#30 RedSky lost [EV-003]",
			"#20 BlueLake kept [EV-001]"},
		{"a status alone", []said{first, {"RedSky", fields{"status": "failed"}}}, "#20 BlueLake kept [EV-001]",
			"#20 BlueLake kept [EV-001]"},
		{"an attempt", []said{first, {"RedSky", fields{"status": "blocked", "last_run": fields{"outcome": "lost"}}}},
			"#20 BlueLake kept [EV-001]", "#20 BlueLake kept [EV-001]"},
		{"a look", []said{first, {"RedSky", explored("lost")}}, "#20 BlueLake kept [EV-001]", "#20 BlueLake kept [EV-001]"},
		{"a status first", []said{{"RedSky", fields{"status": "passed"}}, first}, "#30 BlueLake kept [EV-001]", "#20 RedSky  []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
			for _, s := range test.said {
				th.send(s.by, editTest("T1", s.edit))
			}
			stands, own := th.state.Results.Stands("T1"), th.state.Results.R("T1")
			if got := told(stands); got != test.stands {
				t.Errorf("stands %s, want %s", got, test.stands)
			}
			if got := told(own); got != test.own {
				t.Errorf("R is %s, want %s", got, test.own)
			}
			result := th.state.PredictionReport(nil).Predictions[0].Result
			if d := cmp.Diff(protocol.OrNull(own.Outcome), result.Outcome); d != "" || result.MessageID != own.MessageID {
				t.Errorf("predictions show another outcome with #%d: %s", result.MessageID, d)
			}
		})
	}
}

func told(r *science.Result) string {
	return fmt.Sprintf("#%d %s %s %v", r.MessageID, r.By, r.Outcome, r.Evidence)
}

// TestNotesSince: what is said of new messages is what is said of all, without what was said before.
func TestNotesSince(t *testing.T) {
	eachStudy(t, 300, func(seed uint64) study { return newWriter(seed).results(25) }, func(s study) string {
		state := s.fold(t)
		all := state.ResultNotes()
		for since := range state.Messages {
			want := slices.DeleteFunc(slices.Clone(all), func(n science.ResultNote) bool { return n.Place <= since })
			if d := cmp.Diff(want, state.NotesSince(since), cmpopts.EquateEmpty()); d != "" {
				return fmt.Sprintf("since %d: %s", since, d)
			}
		}
		return ""
	})
}
