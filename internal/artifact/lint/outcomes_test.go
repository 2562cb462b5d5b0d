package lint_test

import (
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"

	"github.com/google/go-cmp/cmp"
)

// A prediction tells hypotheses apart by what it says of them, not by how it is typed.
func TestOutcomes(t *testing.T) {
	row := artifact.NewItem("P1", artifact.PredictionsTable)
	row.Set(artifact.Predictions, artifact.NewMap(
		artifact.Pair{Key: "H1", Text: "It  Glows"}, artifact.Pair{Key: "H2", Text: "it stays dark"},
		artifact.Pair{Key: "H3", Text: " it glows "}, artifact.Pair{Key: "H4", Text: "  "},
	))
	numbers, distinct := lint.Outcomes(row, []artifact.ItemID{"H1", "H2", "H3", "H4", "H5"})
	if diff := cmp.Diff([]int{0, 1, 0, lint.Blank, lint.Blank}, numbers); diff != "" {
		t.Error(diff)
	}
	if distinct != 2 {
		t.Errorf("%d distinct outcomes, want 2", distinct)
	}
}

// A violation knows its section, with and without an item.
func TestViolationSection(t *testing.T) {
	report := lint.Check(lint.Input{Document: artifact.Document{Artifact: artifact.New()}})
	want := map[string]string{"EM-001": "", "EH-001": "hypothesis_slate", "EC-001": "adversarial_critique", "ER-001": "research_thread"}
	for _, v := range report.Violations {
		if section, ok := want[v.ID()]; ok {
			if section != v.Section {
				t.Errorf("%s stands in %q, want %q", v.ID(), v.Section, section)
			}
			delete(want, v.ID())
		}
	}
	delete(want, "EM-001") // a fold has front matter of its own
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
}
