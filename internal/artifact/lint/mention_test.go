package lint

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamedItems(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"hypothesis H4", []string{"H4"}},
		{"Hypotheses H1, H2 and H4; T4 is a phage", []string{"H1", "H2", "H4"}},
		{"H2 is hydrogen, T7 a polymerase, C4 a plant", nil},
		{"tests T1/T2 vs. T3", []string{"T1", "T2", "T3"}},
		{"test with T4 lysozyme", nil},
		{"test H4", nil},
		{"hypothesis H1. H9 is a histone", []string{"H1"}},
		{"hypothesis H3K27me3", nil},
		{"P1.H2 but not P1 H3, nor X1.H4, nor P2.", []string{"P1", "H2"}},
		{"the anomaly (X3) is odd", nil},
		{"critique C02 and critique C2", []string{"C2"}},
		{"assumptions A1 or A2, which holds for A3", []string{"A1", "A2"}},
		{"RT, thread RT", nil},
		{"Überhypothesis H3", nil},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, namedItems(tt.text)); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, d)
		}
	}
}
