package study_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/artifact"
	"brenner/artifact/merge"
	"brenner/internal/figure"
	"brenner/internal/study"
	"brenner/message"
	"brenner/protocol"
	"brenner/science"
)

type links struct{}

func (links) Item(id artifact.ItemID) string { return "#" + string(id) }
func (links) Message(id int64) string        { return fmt.Sprint("#m", id) }

type fields map[string]any

func block(operation, section, target string, payload fields) string {
	object := fields{"operation": operation, "section": section, "payload": payload, "rationale": "r"}
	if target != "" {
		object["target_id"] = target
	}
	data, _ := json.Marshal(object)
	return fmt.Sprintf("```delta\n%s\n```\n", data)
}

func hypothesis(name string) string {
	return block("ADD", "hypothesis_slate", "", fields{"name": name, "claim": name, "mechanism": "m", "anchors": []string{"inference"}})
}

func trial(name string, expected fields) string {
	return block("ADD", "discriminative_tests", "", fields{
		"name": name, "procedure": "look", "discriminates": "all", "expected_outcomes": expected,
		"score": fields{"likelihood_ratio": 3, "cost": 3, "speed": 3, "ambiguity": 3},
	})
}

func believes(credences fields) string {
	data, _ := json.Marshal(fields{"credences": credences})
	return fmt.Sprintf("```belief\n%s\n```\n", data)
}

// sample is a small session: three explanations, three tests, one result, one kill.
func sample(t *testing.T) *study.Study {
	t.Helper()
	fold, state := merge.New("RS-20260110-cells-turn"), &science.State{}
	for i, m := range []struct{ from, subject, body string }{
		{"Operator", "KICKOFF: Why?", "# Why?\n\n## Research Question\nWhy?\n\n## Context\nBecause.\n"},
		{"BlueLake", "DELTA[gpt]: slate", "# D\n\n" + hypothesis("one") + "\n" + hypothesis("two") + "\n" + hypothesis("three")},
		{"RedSky", "DELTA[opus]: tests", "# D\n\n" + trial("first", fields{"H1": "kept", "H2": "Lost.", "H3": "lost"}) + "\n" +
			trial("second", fields{"H1": "red", "H2": "blue", "H3": "-"}) + "\n" + trial("third", fields{"H1": "x", "H2": "x"})},
		{"BlueLake", "INFO: mine", "# I\n\n" + believes(fields{"H1": 0.3, "H2": 0.5, "H3": 0.1})},
		{"RedSky", "INFO: mine", "# I\n\n" + believes(fields{"H1": 0.5, "H2": 0.2, "H3": 0.1})},
		{"Operator", "COMPILED: v1 first", "# Compiled v1\n"},
		{"Operator", "DELTA[human]: found", "# D\n\n" + block("EDIT", "discriminative_tests", "T1", fields{"status": "passed", "last_run": fields{"outcome": "Lost"}})},
		{"BlueLake", "DELTA[gpt]: after", "# D\n\n" + block("EDIT", "discriminative_tests", "T1", fields{"expected_outcomes": fields{"H1": "lost"}})},
		{"BlueLake", "DELTA[gpt]: end", "# D\n\n" + block("KILL", "hypothesis_slate", "H3", fields{"reason": "It says nothing."})},
		{"Operator", "COMPILED: v2 second", "# Compiled v2\n"},
	} {
		msg := message.Message{
			ID: int64(10 * (i + 1)), ThreadID: fold.ThreadID(), From: m.from, Subject: m.subject, Body: m.body,
			CreatedAt: time.Date(2026, 1, 10, 10, i, 0, 0, time.UTC), Intake: protocol.Strict,
		}
		report := fold.Fold(msg)
		state.Advance(&msg, &report, fold.Artifact())
	}
	return study.New(study.Source{
		Artifact: fold.Artifact(), Science: state.Snapshot(), Links: links{},
		Cast:    study.NewCast([]string{"BlueLake", "RedSky", "Operator"}, func(name string) bool { return name == "Operator" }),
		Attacks: map[artifact.ItemID][]study.Attack{"H2": {{MessageID: 70, From: "RedSky", Title: "too easy", Severity: "Critical", Open: true}}},
	})
}

func TestOrderAndFates(t *testing.T) {
	s := sample(t)
	var order []string
	for _, h := range s.Hypotheses {
		order = append(order, h.ID)
	}
	if diff := cmp.Diff([]string{"H2", "H1", "H3"}, order); diff != "" {
		t.Error(diff)
	}
	k := s.Hypotheses[2].Killed
	if k == nil || k.By.Initials != "BL" || k.Version != 2 || k.MessageID != 90 || k.Was <= 0 {
		t.Errorf("killed %+v", k)
	}
	if len(s.Alive()) != 2 || s.Hypotheses[0].Low > s.Hypotheses[0].Pooled || s.Hypotheses[0].High < s.Hypotheses[0].Pooled {
		t.Errorf("the agents' spread does not hold the pool: %+v", s.Hypotheses[0].World)
	}
}

func TestMatrixHoldsCellsAgainstResults(t *testing.T) {
	s := sample(t)
	first := s.Matrix.Tests[slices.IndexFunc(s.Matrix.Tests, func(r study.Row) bool { return r.ID == "T1" })]
	verdicts := map[string]figure.Verdict{}
	letters := map[string]string{}
	for i, c := range s.Matrix.Columns {
		verdicts[c.ID], letters[c.ID] = first.Cells[i].Verdict, first.Cells[i].Letter
	}
	if diff := cmp.Diff(map[string]figure.Verdict{"H1": figure.PostHoc, "H2": figure.AsExpected, "H3": figure.AsExpected}, verdicts); diff != "" {
		t.Error(diff)
	}
	if letters["H2"] != letters["H3"] || letters["H1"] != letters["H2"] {
		t.Errorf("the same outcome has several letters: %v", letters)
	}
	h1 := first.Cells[slices.IndexFunc(s.Matrix.Columns, func(c study.Column) bool { return c.ID == "H1" })]
	if h1.Registered != "kept" || h1.Text != "lost" {
		t.Errorf("what was registered is gone: %+v", h1)
	}
	if first.Found == nil || first.Found.Outcome != "Lost" || first.Found.By.Name != "Operator" {
		t.Errorf("found %+v", first.Found)
	}
	pair, ok := s.Matrix.Pair("H2-H1")
	if !ok || pair.Rows != 1 || pair.OpenTests != 1 {
		t.Errorf("pairs %+v", s.Matrix.Pairs)
	}
	if s.Counts.Stated != 8 || s.Counts.PostHoc != 1 {
		t.Errorf("counts %+v", s.Counts)
	}
}

func TestBestTestAndWhatIf(t *testing.T) {
	s := sample(t)
	if s.Best == nil || s.Best.Test != "T2" || len(s.Best.Apart) != 1 {
		t.Fatalf("best %+v", s.Best)
	}
	total := 0.0
	for _, o := range s.Best.Outlooks {
		total += o.P
		sum := 0.0
		for _, share := range o.Shares {
			sum += share.Value
		}
		if sum < 1-1e-9 || sum > 1+1e-9 {
			t.Errorf("after %s the pool sums to %g", o.Label, sum)
		}
	}
	if total < 1-1e-9 || total > 1+1e-9 || len(s.Best.Outlooks) != 2 {
		t.Errorf("outcomes %+v", s.Best.Outlooks)
	}
}

func TestLifelinesTellTheStory(t *testing.T) {
	s := sample(t)
	if len(s.Moves) == 0 || s.Moves[0].Bits < s.Moves[len(s.Moves)-1].Bits {
		t.Errorf("moves %+v", s.Moves)
	}
	wide := s.Lifelines.Wide("l")
	for _, want := range []string{"BlueLake adds H2 in #20", "T1 on H2: as expected", "killed by BlueLake: It says nothing.", "RedSky attacks: too easy (Critical, #70); open", "T1 found: Lost", ">v2<"} {
		if !strings.Contains(wide, want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if len(s.Panels) != 4 || s.Panels[3].ID != "none" || s.Panels[2].Figure.End != 9 || len(s.Panels[0].Figure.Agents) != 2 {
		t.Errorf("panels %+v", s.Panels)
	}
}

func TestCastIsUnambiguous(t *testing.T) {
	c := study.NewCast([]string{"BlueLake", "BoldLion", "bob", "BlueLake", "Operator", "x"}, func(name string) bool { return name == "Operator" })
	seen := map[string]bool{}
	for _, a := range c.Members() {
		if seen[a.Initials] || (a.Hue == 0) != (a.Name == "Operator") {
			t.Errorf("%+v", a)
		}
		seen[a.Initials] = true
	}
	if len(c.Members()) != 5 || c.Of("BLUELAKE").Hue != 1 {
		t.Errorf("%+v", c.Members())
	}
}

// TestEmptySession: right after start there is nothing, and nothing fails.
func TestEmptySession(t *testing.T) {
	fold := merge.New("RS-20260110-cells-turn")
	s := study.New(study.Source{Artifact: fold.Artifact(), Science: &science.State{}, Links: links{}})
	if len(s.Hypotheses) != 0 || s.Best != nil || !strings.Contains(s.Lifelines.Wide("l"), "<svg") {
		t.Errorf("%+v", s)
	}
}
