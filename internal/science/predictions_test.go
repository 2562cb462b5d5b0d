package science_test

import (
	"fmt"
	"strings"
	"testing"

	"brenner/internal/science"
	"github.com/google/go-cmp/cmp"
)

func (th *thread) predictions() science.PredictionReport {
	return th.state.PredictionReport()
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
		list = append(list, fmt.Sprintf("%s.%s %s %s/%s #%d %s", p.Test, p.Hypothesis, p.State, text(p.Expected), text(p.Registered), p.MessageID, p.By))
	}
	return list
}

// codes are the findings of SCIENCE 3.
func codes(r science.PredictionReport) []string {
	list := []string{}
	for _, f := range r.Findings {
		if strings.HasPrefix(string(f.Code), "RESULT_REP") || f.Code == "RESULT_UNSOURCED" || f.Code == "UNKNOWN_OUTCOME" {
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
			"0 of 2 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
		{"locked", []fields{ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
		{"rewritten before the result", []fields{expect(fields{"H1": "moved"}), ran("kept")},
			[]string{"T1.H1 locked moved/null #20 RedSky", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
		{"rewritten after it", []fields{ran("kept"), expect(fields{"H2": "kept"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc kept/lost #30 RedSky"},
			"2 of 2 predictions revealed, 1 written after the result, 0 exploratory",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"rewritten with it", []fields{{"status": "passed", "last_run": fields{"outcome": "kept"}, "expected_outcomes": fields{"H2": "kept"}}},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc kept/lost #20 RedSky"},
			"2 of 2 predictions revealed, 1 written after the result, 0 exploratory",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"rewritten twice", []fields{ran("kept"), expect(fields{"H2": "kept"}), expect(fields{"H2": "lost"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc lost/null #40 RedSky"},
			"2 of 2 predictions revealed, 1 written after the result, 0 exploratory",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"new after it", []fields{ran("kept"), expect(fields{"H3": "kept"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake", "T1.H3 post_hoc kept/null #30 RedSky"},
			"3 of 3 predictions revealed, 1 written after the result, 0 exploratory",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H3"}},
		{"removed after it", []fields{ran("kept"), expect(fields{"H2": nil})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc null/lost #30 RedSky"},
			"2 of 2 predictions revealed, 1 written after the result, 0 exploratory",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"removed with it", []fields{{"status": "passed", "expected_outcomes": fields{"H2": nil}}},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc null/lost #20 RedSky"},
			"2 of 2 predictions revealed, 1 written after the result, 0 exploratory",
			[]string{"POST_HOC_PREDICTION T1 expected_outcomes.H2"}},
		{"removed before it", []fields{expect(fields{"H2": nil}), ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake"},
			"1 of 1 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
		{"new and removed after it", []fields{ran("kept"), expect(fields{"H3": "x"}), expect(fields{"H3": nil})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked lost/null #10 BlueLake"},
			"2 of 2 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
		{"an exploratory result", []fields{explored("kept"), expect(fields{"H2": "kept"})},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 post_hoc kept/lost #30 RedSky"},
			"0 of 2 predictions revealed, 0 written after the result, 2 exploratory", []string{}},
		{"written between an exploratory result and R", []fields{explored("kept"), expect(fields{"H2": "kept"}), ran("lost")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked kept/null #30 RedSky"},
			"2 of 2 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
		{"expected in blank", []fields{expect(fields{"H2": ""}), ran("kept")},
			[]string{"T1.H1 locked kept/null #10 BlueLake", "T1.H2 locked /null #20 RedSky"},
			"2 of 2 predictions revealed, 0 written after the result, 0 exploratory", []string{}},
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
			if got := th.state.Predictions.Counts(&th.state.Results); got != report.Counts {
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
	want := []string{"RESULT_WITHOUT_PREDICTION T1 ", "POST_HOC_PREDICTION T1 expected_outcomes.H1"}
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
	th.delta("BlueLake", editTest("T1", ran("kept")), edit("H1", "claim")) // with the result, not after it
	if d := cmp.Diff([]string{}, codes(th.predictions())); d != "" {
		t.Error(d)
	}
	th.delta("RedSky", edit("H1", "mechanism"), edit("H2", "claim"), edit("H3", "claim"), edit("H4", "name"))
	th.delta("RedSky", block("KILL", "discriminative_tests", "T1", fields{"reason": "done"}), block("KILL", "hypothesis_slate", "H3", fields{"reason": "no"}))
	if d := cmp.Diff([]string{"POST_HOC_CLAIM H1 ", "POST_HOC_CLAIM H3 "}, codes(th.predictions())); d != "" {
		t.Error(d)
	}
	if got := th.predictions().Counts; got.Revealed != 1 {
		t.Errorf("a killed test's prediction is not counted: %v", got)
	}
}
