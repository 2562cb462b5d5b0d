package science_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
	"brenner/internal/science"
)

func (th *thread) predictions() science.PredictionReport {
	return th.state.PredictionReport(nil)
}

// cells writes each prediction down as one line.
func cells(r science.PredictionReport) []string {
	list := []string{}
	for _, p := range r.Predictions {
		text := func(s *string) string {
			if s == nil {
				return "null"
			}
			return *s
		}
		list = append(list, fmt.Sprintf("%s.%s %s %s/%s #%d %s", p.Test, p.Hypothesis, p.State, text(p.Expected), text(p.Registered),
			p.MessageID, p.By))
	}
	return list
}

// codes are the findings of SCIENCE 3.
func codes(r science.PredictionReport) []string {
	list := []string{}
	for _, f := range r.Findings {
		if strings.HasPrefix(string(f.Code), "RESULT_REP") || f.Code == "RESULT_UNSOURCED" || f.Code == "UNKNOWN_OUTCOME" ||
			f.Code == "RESULT_WITHDRAWN" {
			continue // of SCIENCE 2 and 4
		}
		list = append(list, string(f.Code)+" "+f.Item+" "+f.Path)
	}
	return list
}

// TestPredictions: what becomes of cells (SCIENCE 3). Message 10 adds H1, H2 and T1, which expects
// "kept" of H1 and "lost" of H2; each edit of T1 is a message of its own, from #20 on.
func TestPredictions(t *testing.T) {
	expect := func(cells fields) fields { return fields{"expected_outcomes": cells} }
	for _, test := range []struct {
		name   string
		edits  []fields
		cells  []string
		counts string
		codes  []string
	}{
		{"open", nil,
			[]string{"T1.H1 open kept/null #10 BlueLake", "T1.H2 open lost/null #10 BlueLake"},
			"0 of 2 predictions revealed", []string{}},
		{"locked", []fields{ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed: 2 locked", []string{}},
		{"rewritten before the result", []fields{expect(fields{"H1": "moved"}), ran("kept")},
			[]string{"T1.H1 locked moved/null #20 RedSky", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed: 2 locked", []string{}},
		{"rewritten after it", []fields{ran("kept"), expect(fields{"H2": "kept"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc kept/lost #30 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after the result",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"rewritten with it", []fields{{"status": "passed", "last_run": fields{"outcome": "kept"},
			"expected_outcomes": fields{"H2": "kept"}}},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc kept/lost #20 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after the result",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"rewritten twice", []fields{ran("kept"), expect(fields{"H2": "kept"}), expect(fields{"H2": "lost"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc lost/lost #40 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after the result",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"new after it", []fields{ran("kept"), expect(fields{"H3": "kept"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake", "T1.H3 post_hoc kept/null #30 RedSky"},
			"3 of 3 predictions revealed: 2 locked, 1 after the result",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H3"}},
		{"removed after it", []fields{ran("kept"), expect(fields{"H2": nil})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc null/lost #30 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after the result",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"removed with it", []fields{{"status": "passed", "expected_outcomes": fields{"H2": nil}}},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc null/lost #20 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after the result",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"removed before it", []fields{expect(fields{"H2": nil}), ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake"},
			"1 of 1 predictions revealed: 1 locked", []string{}},
		{"new and removed after it", []fields{ran("kept"), expect(fields{"H3": "x"}), expect(fields{"H3": nil})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed: 2 locked", []string{}},
		{"an exploratory result", []fields{explored("kept"), expect(fields{"H2": "kept"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc kept/lost #30 RedSky"},
			"0 of 2 predictions revealed; 2 exploratory", []string{}},
		{"written between an exploratory result and R", []fields{explored("kept"), expect(fields{"H2": "kept"}), ran("lost")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 after_look kept/lost #30 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after a look",
			[]string{"AFTER_LOOK_PREDICTION T1 expected_outcomes.H2"}},
		{"new between an exploratory result and R", []fields{explored("kept"), expect(fields{"H3": "kept"}), ran("lost")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake", "T1.H3 after_look kept/null #30 RedSky"},
			"3 of 3 predictions revealed: 2 locked, 1 after a look", []string{}},
		{"written and removed between look and R", []fields{explored("kept"), expect(fields{"H3": "kept"}), expect(fields{"H3": nil}),
			ran("lost")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake"}, "2 of 2 predictions revealed: 2 locked",
			[]string{}},
		{"removed between look and R", []fields{explored("kept"), expect(fields{"H2": nil}), ran("lost")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 after_look null/lost #30 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after a look", []string{"AFTER_LOOK_PREDICTION T1 expected_outcomes.H2"}},
		{"a run that began before", []fields{expect(fields{"H2": "kept"}),
			{"status": "passed", "last_run": fields{"outcome": "kept", "started": "2026-01-10T10:00:15Z"}}},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 after_look kept/lost #20 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after a look", []string{"AFTER_LOOK_PREDICTION T1 expected_outcomes.H2"}},
		{"a broken run is a look", []fields{{"status": "error", "last_run": fields{"started": "2026-01-10T10:00:15Z"}},
			expect(fields{"H2": "kept"}), ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 after_look kept/lost #30 RedSky"},
			"2 of 2 predictions revealed: 1 locked, 1 after a look", []string{"AFTER_LOOK_PREDICTION T1 expected_outcomes.H2"}},
		{"a blocked run is none", []fields{{"status": "blocked"}, expect(fields{"H2": "kept"}), ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked kept/null #30 RedSky"}, "2 of 2 predictions revealed: 2 locked",
			[]string{}},
		{"replaced and withdrawn", []fields{ran("kept"), ran("lost"), {"last_run": fields{"withdraws": 30}}},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed: 2 locked; 1 result replaced, 1 withdrawn", []string{}},
		{"expected in blank", []fields{expect(fields{"H2": ""}), ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked /null #20 RedSky"},
			"2 of 2 predictions revealed: 2 locked", []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("BlueLake", addHypothesis("one"), addHypothesis("two"), addTest(fields{"H1": "kept", "H2": "lost"}))
			for _, edit := range test.edits {
				th.delta("RedSky", editTest("T1", edit))
			}
			report := th.predictions()
			if d := cmp.Diff(test.cells, cells(report)); d != "" {
				t.Error(d)
			}
			if got := report.Counts.String(); got != test.counts {
				t.Errorf("counts: %s, want %s", got, test.counts)
			}
			if got := th.state.PredictionCounts(); got != report.Counts {
				t.Errorf("counted %v without listing, %v with", got, report.Counts)
			}
			if d := cmp.Diff(test.codes, codes(report)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestResultWithoutPrediction: a test that comes with its result has no prediction before it.
func TestResultWithoutPrediction(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}, ran("kept")))
	want := []string{"RESULT_WITHOUT_PREDICTION T1 ", "POST_HOC_PREDICTION T1 expected_outcomes.H1", "POST_HOC_HYPOTHESIS H1 "}
	if d := cmp.Diff(want, codes(th.predictions())); d != "" {
		t.Error(d)
	}
}

// TestPostHocClaim: a claim edited after the result of a test that discriminates it, by its words
// or by a cell. Killed tests and hypotheses count.
func TestPostHocClaim(t *testing.T) {
	edit := func(h, field string) string {
		return block("EDIT", "hypothesis_slate", h, fields{field: "changed " + field})
	}
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addHypothesis("two"), addHypothesis("three"), addHypothesis("four"),
		addTest(fields{"H3": "kept"}, fields{"discriminates": "H1 against xH2 and H4"}))
	th.delta("BlueLake", edit("H4", "claim"))
	th.delta("BlueLake", editTest("T1", ran("kept")), edit("H1", "claim")) // with the result
	if d := cmp.Diff([]string{"POST_HOC_CLAIM H1 "}, codes(th.predictions())); d != "" {
		t.Error(d)
	}
	th.delta("RedSky", edit("H1", "mechanism"), edit("H2", "claim"), edit("H3", "claim"), edit("H4", "name"))
	th.delta("RedSky", block("KILL", "discriminative_tests", "T1", fields{"reason": "done"}),
		block("KILL", "hypothesis_slate", "H3", fields{"reason": "no"}))
	if d := cmp.Diff([]string{"POST_HOC_CLAIM H1 ", "POST_HOC_CLAIM H3 "}, codes(th.predictions())); d != "" {
		t.Error(d)
	}
	if got := th.predictions().Counts; got.Revealed != 1 {
		t.Errorf("a killed test's prediction is not counted: %v", got)
	}
}

// Who removes a cell after the result has not removed what the test discriminates: the cell stays, and so does the finding.
func TestPostHocClaimOfARemovedCell(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addHypothesis("two"),
		addTest(fields{"H1": "kept", "H2": "lost"}, fields{"discriminates": "all"}))
	th.delta("RedSky", editTest("T1", ran("kept")))
	th.delta("RedSky", editTest("T1", fields{"expected_outcomes": fields{"H2": nil}}))
	th.delta("RedSky", block("EDIT", "hypothesis_slate", "H2", fields{"claim": "it was always so"}))
	if d := cmp.Diff([]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2", "POST_HOC_CLAIM H2 "}, codes(th.predictions())); d != "" {
		t.Error(d)
	}
}

// Each cell says whether one hand wrote it and R, whether both were imported, and whether the data are older than it.
func TestPredictionOrigins(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
	th.delta("bluelake", editTest("T1", fields{"last_run": fields{"outcome": "kept", "performed": "2026-01-09",
		"evidence": []string{"EV-001"}}}))
	p := th.state.PredictionReport(nil).Predictions[0]
	if !p.SameHand || p.Imported || !p.Older {
		t.Errorf("%+v", p)
	}
	th = newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addTest(fields{"H1": "kept"}))
	open := th.state.PredictionReport(nil).Predictions[0]
	th.delta("RedSky", editTest("T1", fields{"last_run": fields{"outcome": "kept", "performed": "2026-01-10",
		"evidence": []string{"EV-001"}}}))
	day := "2026-01-10"
	added := func(string) string { return day }
	if p := th.state.PredictionReport(added).Predictions[0]; open.Older || open.SameHand || p.SameHand || p.Older {
		t.Errorf("%+v", p)
	}
	day = "2026-01-09"
	if p := th.state.PredictionReport(added).Predictions[0]; !p.Older {
		t.Errorf("a source from before is not older: %+v", p)
	}
}

// A row of the predictions table that names a test is a set of cells of it, for hypotheses without one there.
func TestRowsThatNameTheirTest(t *testing.T) {
	row := func(test string, cells fields) string {
		return block("ADD", "predictions_table", "", fields{"condition": "c", "predictions": cells, "test": test})
	}
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addHypothesis("two"), addHypothesis("three"), addTest(fields{"H1": "kept"}))
	th.delta("RedSky", row("T1", fields{"H1": "ignored", "H2": "lost", "H3": "n/a"}), row("T1", fields{"H2": "later", "H3": "moved"}),
		row("T2", fields{"H1": "x", "H2": "y"}))
	th.delta("RedSky", editTest("T1", ran("lost")))
	want := []string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #20 RedSky", "T1.H3 locked moved/null #20 RedSky"}
	if d := cmp.Diff(want, cells(th.predictions())); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"kept", "lost", "moved"}, th.state.TableOf("T1").Labels); d != "" {
		t.Error(d)
	}
}

// A row that names its test no longer has no cells of it any more.
func TestRowsThatNameNoTestAnyMore(t *testing.T) {
	th := newThread(t)
	th.delta("BlueLake", addHypothesis("one"), addHypothesis("two"), addTest(fields{"H1": "kept"}))
	th.delta("RedSky", block("ADD", "predictions_table", "", fields{"condition": "c", "predictions": fields{"H2": "lost"}, "test": "T1"}))
	th.delta("RedSky", block("EDIT", "predictions_table", "P1", fields{"test": nil}))
	if d := cmp.Diff([]string{"T1.H1 open kept/null #10 BlueLake"}, cells(th.predictions())); d != "" {
		t.Error(d)
	}
}

// A hypothesis says what would kill it, the record when that has happened; it kills nobody.
func TestKillConditions(t *testing.T) {
	for _, test := range []struct {
		name, condition string
		run             fields
		want            string
	}{
		{"met", "T1 = KEPT.", fields{"outcome": "kept"}, "KILL_CONDITION_MET"},
		{"not met", "T1 = lost", fields{"outcome": "kept"}, ""},
		{"another", "T1!=lost", fields{"outcome": "kept"}, "KILL_CONDITION_MET"},
		{"the same", "T1 != kept", fields{"outcome": "kept"}, ""},
		{"exploratory", "T1 = kept", fields{"outcome": "kept", "exploratory": true}, ""},
		{"a failed control", "T1 = kept", fields{"outcome": "kept", "potency": "failed"}, ""},
		{"no label", "T1 != lost", fields{"outcome": "moved"}, ""},
		{"unforeseen", "T1 != lost", fields{"unforeseen": "it glowed"}, ""},
		{"two signs", "T1 == kept", fields{"outcome": "kept"}, "KILL_CONDITION_UNREAD"},
		{"two signs of the other", "T1 !== lost", fields{"outcome": "kept"}, "KILL_CONDITION_UNREAD"},
		{"unread", "when pigs fly", fields{"outcome": "kept"}, "KILL_CONDITION_UNREAD"},
		{"no such test", "T9 = kept", fields{"outcome": "kept"}, "KILL_CONDITION_UNREAD"},
		{"a number of labels", "T1 < 60", fields{"outcome": "kept"}, "KILL_CONDITION_UNREAD"},
		{"below", "T2 < 60 km", fields{"value": "50 ± 4"}, "KILL_CONDITION_MET"},
		{"hardly below", "T2 < 60", fields{"value": "50 ± 5"}, ""},
		{"above", "T2 > 40", fields{"value": "50 +1 -4"}, "KILL_CONDITION_MET"},
		{"another unit", "T2 > 40 m", fields{"value": "50 ± 1"}, "KILL_CONDITION_UNREAD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			h := block("ADD", "hypothesis_slate", "",
				fields{"name": "one", "claim": "c", "mechanism": "m", "anchors": []string{"inference"},
					"killed_if": []string{test.condition}})
			th.delta("BlueLake", h, addHypothesis("two"), addTest(fields{"H1": "kept", "H2": "lost"}),
				addTest(fields{"H1": "50 ± 1"}, fields{"quantity": fields{"range": []int{0, 100}, "unit": "km"}}))
			id := "T1"
			if test.run["value"] != nil {
				id = "T2"
			}
			th.delta("RedSky", editTest(id, fields{"last_run": test.run}))
			got := ""
			for _, f := range th.predictions().Findings {
				if strings.HasPrefix(string(f.Code), "KILL_") {
					got += string(f.Code)
				}
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			if !th.fold.Artifact().Item("H1").Active() {
				t.Error("the record killed a hypothesis")
			}
		})
	}
}

// What a test measures is what it measured when somebody first looked: nobody makes a condition unread afterwards.
func TestKillConditionsOutliveTheQuantity(t *testing.T) {
	th := newThread(t)
	quantity := fields{"range": []int{0, 100}, "unit": "km"}
	th.delta("BlueLake", block("ADD", "hypothesis_slate", "", fields{"name": "one", "claim": "c", "mechanism": "m",
		"anchors": []string{"inference"}, "killed_if": []string{"T1 = kept", "T2 < 60 km"}}), addHypothesis("two"),
		addTest(fields{"H1": "kept", "H2": "lost"}), addTest(fields{"H1": "70 ± 1"}, fields{"quantity": quantity}))
	th.delta("RedSky", editTest("T1", ran("kept")), editTest("T2", fields{"last_run": fields{"value": "50 ± 1"}}))
	want := conditionsTold(th)
	if len(want) != 2 {
		t.Fatal(want)
	}
	for _, change := range []string{
		editTest("T2", fields{"quantity": nil}), editTest("T2", fields{"quantity": fields{"range": []int{0, 1}, "unit": "m"}}),
		editTest("T1", fields{"quantity": quantity}),
	} {
		th.delta("BlueLake", change)
		if d := cmp.Diff(want, conditionsTold(th)); d != "" {
			t.Error(d)
		}
	}
}

func conditionsTold(th *thread) []string {
	var list []string
	for _, f := range th.predictions().Findings {
		if strings.HasPrefix(string(f.Code), "KILL_") {
			list = append(list, string(f.Code)+": "+f.Message)
		}
	}
	return list
}

// TestManyKillConditions: however many conditions a hypothesis names, a reader is told of a few, and that there are more.
func TestManyKillConditions(t *testing.T) {
	th := newThread(t)
	conditions := make([]string, 2000)
	for i := range conditions {
		conditions[i] = fmt.Sprintf("T1 != other%d", i)
	}
	th.delta("BlueLake", block("ADD", "hypothesis_slate", "", fields{"name": "one", "claim": "c", "mechanism": "m",
		"anchors": []string{"inference"}, "killed_if": conditions}), addHypothesis("two"), addTest(fields{"H1": "kept", "H2": "lost"}))
	th.delta("RedSky", editTest("T1", ran("kept")))
	told := map[protocol.Code]int{}
	for _, f := range th.predictions().Findings {
		told[f.Code]++
	}
	if told[protocol.KillConditionUnread] != 1 || told[protocol.KillConditionMet] != 4 {
		t.Errorf("%v", told)
	}
}
