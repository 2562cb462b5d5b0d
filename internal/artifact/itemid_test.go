package artifact_test

import (
	"testing"

	"brenner/internal/artifact"
)

func TestParseItemID(t *testing.T) {
	for _, s := range artifact.Sections() {
		for _, n := range []int{1, 9, 10, 12345, 999_999_999} {
			want := artifact.NewItemID(s, n)
			id, section, number, ok := artifact.ParseItemID(string(want))
			if !ok || id != want || section != s || number != n && s != artifact.ResearchThread {
				t.Errorf("%s: %s %v %d %v", want, id, section, number, ok)
			}
		}
	}
	for _, text := range []string{"", "H", "H0", "H01", "h1", "H1 ", " H1", "H-1", "H+1", "H1234567890", "Z1", "RT1", "R1", "1", "H1H",
		"HH1", "H１"} {
		if id, _, _, ok := artifact.ParseItemID(text); ok || id != "" {
			t.Errorf("%q is taken for an id", text)
		}
	}
}
