package session_test

import (
	"slices"
	"testing"
)

// TestGaps: a further round is told what no test and no reviewer has covered.
func TestGaps(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: two", hypothesis("One", "Cells turn by torque")+hypothesis("Two", "Cells turn by touch"), 0)
	gaps := b.take().Gaps()
	want := []string{"design a test that tells H1 from H2", "attack H1, which has not been attacked",
		"attack H2, which has not been attacked"}
	if !slices.Equal(gaps, want) {
		t.Errorf("%q", gaps)
	}
}
