package artifact_test

import (
	"testing"

	"brenner/internal/artifact"
)

// A part counts within 0–3, however it is written; a missing part is not a part of 0.
func TestPoints(t *testing.T) {
	s := artifact.NewScore(artifact.Part{Name: "cost", Number: "7"}, artifact.Part{Name: "speed", Number: "-1e999"},
		artifact.Part{Name: "ambiguity", Number: "1.25"})
	for name, want := range map[string]float64{"cost": 3, "speed": 0, "ambiguity": 1.25} {
		if got, ok := s.Points(name); !ok || got != want {
			t.Errorf("%s counts %v %v, want %v", name, got, ok, want)
		}
	}
	if _, ok := s.Points("likelihood_ratio"); ok {
		t.Error("a missing part counts")
	}
	if total, ok := s.Total(); !ok || total != 4.25 {
		t.Errorf("the total is %v %v, want 4.25", total, ok)
	}
}
