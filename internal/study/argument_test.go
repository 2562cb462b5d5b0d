package study_test

import (
	"fmt"
	"slices"
	"testing"

	"brenner/internal/study"
	"brenner/internal/study/studytest"
)

// TestArgument: tests bear on what they expect, by what was found; attacks on what they hit. Killed tests and tests that expect the
// same of all are left out.
func TestArgument(t *testing.T) {
	s, a := studytest.Sample()
	argument := study.NewArgument(s, study.Source{Artifact: a, Links: studytest.Links{}},
		[]study.Attack{{MessageID: 80, From: "RedSky", Title: "Wrong question", State: "open"}}, 10)
	var got []string
	for _, tie := range argument.Ties {
		got = append(got, fmt.Sprintf("%.3s %s %s", argument.Points[tie.By].ID, tie.Relation, argument.Points[tie.About].ID))
	}
	slices.Sort(got)
	want := []string{"#70 attacks H2", "#80 attacks ?", "T1 agrees H2", "T1 agrees H3", "T1 contradicts H1",
		"T2 discriminates H1", "T2 discriminates H2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	few := study.NewArgument(s, study.Source{Artifact: a, Links: studytest.Links{}}, nil, 1)
	if few.Left != 1 || slices.ContainsFunc(few.Points, func(p study.Point) bool { return p.ID == "T2" }) {
		t.Errorf("of two tests the one with a result stays: %+v", few)
	}
}
