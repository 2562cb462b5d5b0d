package science_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
	"brenner/internal/science"
)

// results writes down each result message: test, place in the thread, outcome, status.
func (th *thread) results() []string {
	list := []string{}
	for _, r := range th.state.Results.Results.All() {
		mark := ""
		if r.Exploratory {
			mark = " exploratory"
		}
		list = append(list, fmt.Sprintf("%s #%d %s %s%s", r.Test, r.MessageID, r.Outcome, r.Status, mark))
	}
	return list
}

// TestResults: which messages give a test a result (SCIENCE 2). Each edit is a message of its own,
// from #20 on.
func TestResults(t *testing.T) {
	outcome := func(text any) fields { return fields{"last_run": fields{"outcome": text}} }
	for _, test := range []struct {
		name   string
		edits  []fields
		want   []string
		result int64 // R
	}{
		{"an outcome without a status", []fields{outcome("kept")}, []string{"T1 #20 kept "}, 20},
		{"a blank outcome", []fields{outcome("  ")}, []string{}, 0},
		{"an outcome that is no text", []fields{outcome(7)}, []string{}, 0},
		{"another key's case", []fields{{"last_run": fields{"Outcome": "kept"}}}, []string{}, 0},
		{"a last_run that is no object", []fields{{"last_run": "kept"}}, []string{}, 0},
		{"a status alone", []fields{{"status": "failed"}}, []string{"T1 #20  failed"}, 20},
		{"blocked with an outcome", []fields{{"status": "blocked", "last_run": fields{"outcome": "kept"}}}, []string{}, 0},
		{"unblocked later", []fields{{"status": "error", "last_run": fields{"outcome": "kept"}}, {"status": "untested"}},
			[]string{"T1 #30  untested"}, 30},
		{"actual outcomes", []fields{{"actual_outcomes": fields{"H1": "kept"}}}, []string{"T1 #20  "}, 20},
		{"another outcome", []fields{ran("kept"), ran("lost")}, []string{"T1 #20 kept passed", "T1 #30 lost passed"}, 20},
		{"a note added", []fields{ran("kept"), {"last_run": fields{"outcome": "kept", "note": "n"}}}, []string{"T1 #20 kept passed"}, 20},
		{"another status", []fields{ran("kept"), {"status": "failed"}}, []string{"T1 #20 kept passed", "T1 #30  failed"}, 20},
		{"a status after the outcome", []fields{outcome("kept"), {"status": "passed"}}, []string{"T1 #20 kept ", "T1 #30  passed"}, 20},
		{"an outcome taken back", []fields{ran("kept"), {"last_run": nil}}, []string{"T1 #20 kept passed"}, 20},
		{"broken later", []fields{ran("kept"), {"status": "error"}}, []string{"T1 #20 kept passed"}, 20},
		{"exploratory, then not", []fields{explored("kept"), ran("lost")}, []string{"T1 #20 kept passed exploratory", "T1 #30 lost passed"}, 30},
		{"exploratory twice", []fields{explored("kept"), explored("lost")},
			[]string{"T1 #20 kept passed exploratory", "T1 #30 lost passed exploratory"}, 20},
		{"called exploratory afterwards", []fields{ran("kept"), explored("kept")}, []string{"T1 #20 kept passed"}, 20},
		{"called not exploratory afterwards", []fields{explored("kept"), ran("kept")}, []string{"T1 #20 kept passed exploratory"}, 20},
		{"a status that leaves an exploratory run alone", []fields{explored("kept"), {"status": "failed"}},
			[]string{"T1 #20 kept passed exploratory", "T1 #30  failed"}, 30},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
			for _, edit := range test.edits {
				th.delta("RedSky", editTest("T1", edit))
			}
			if d := cmp.Diff(test.want, th.results()); d != "" {
				t.Error(d)
			}
			var result int64
			if r := th.state.Results.Test("T1").Result; r != nil {
				result = r.MessageID
			}
			if result != test.result {
				t.Errorf("R is message %d, want %d", result, test.result)
			}
		})
	}
}

// TestOutcome: the outcome is the latest; its setting message is the one that last changed its
// normalised text.
func TestOutcome(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
	th.delta("BlueLake", editTest("T1", ran("kept")))
	th.delta("BlueLake", editTest("T1", ran(" KEPT.")))
	if got := th.state.Results.Test("T1"); got.Outcome != " KEPT." || got.Set != 2 {
		t.Errorf("outcome %q set by message %d of the thread, want that of message 3, set by message 2", got.Outcome, got.Set)
	}
	before := th.state.Snapshot()
	th.delta("BlueLake", editTest("T1", ran("lost")))
	if got := th.state.Results.Test("T1"); got.Outcome != "lost" || got.Set != 4 {
		t.Errorf("outcome %q set by message %d of the thread, want lost, 4", got.Outcome, got.Set)
	}
	if got := before.Results.Test("T1"); got.Set != 2 || before.Results.Results.Len() != 2 {
		t.Errorf("a snapshot changed: %+v", got)
	}
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
		{"changed by another", []said{first, {"RedSky", listed("lost", "EV-002")}}, "#30 RedSky lost [EV-002]", "#20 BlueLake kept [EV-001]"},
		{"changed without a source", []said{first, {"RedSky", ran("lost")}}, "#30 RedSky lost []", "#20 BlueLake kept [EV-001]"},
		{"evidence of the run", []said{first, {"RedSky", cited("lost", "EV-003")}}, "#30 RedSky lost [EV-003]", "#20 BlueLake kept [EV-001]"},
		{"a status alone", []said{first, {"RedSky", fields{"status": "failed"}}}, "#20 BlueLake kept [EV-001]", "#20 BlueLake kept [EV-001]"},
		{"an attempt", []said{first, {"RedSky", fields{"status": "blocked", "last_run": fields{"outcome": "lost"}}}},
			"#20 BlueLake kept [EV-001]", "#20 BlueLake kept [EV-001]"},
		{"a look", []said{first, {"RedSky", explored("lost")}}, "#20 BlueLake kept [EV-001]", "#20 BlueLake kept [EV-001]"},
		{"a status first", []said{{"RedSky", fields{"status": "passed"}}, first}, "#30 BlueLake kept [EV-001]", "#20 RedSky  []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
			for _, s := range test.said {
				th.delta(s.by, editTest("T1", s.edit))
			}
			known := th.state.Results.Test("T1")
			if got := told(known.Stands); got != test.stands {
				t.Errorf("stands %s, want %s", got, test.stands)
			}
			if got := told(known.Result); got != test.own {
				t.Errorf("R is %s, want %s", got, test.own)
			}
			result := th.state.Predictions.Report(&th.state.Results).Predictions[0].Result
			if d := cmp.Diff(protocol.OrNull(known.Result.Outcome), result.Outcome); d != "" || result.MessageID != known.Result.MessageID {
				t.Errorf("predictions show another outcome with #%d: %s", result.MessageID, d)
			}
		})
	}
}

func told(r *science.Result) string {
	return fmt.Sprintf("#%d %s %s %v", r.MessageID, r.By, r.Outcome, r.Evidence)
}
