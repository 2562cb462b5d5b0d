package session_test

import (
	"slices"
	"strings"
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

// TestGapsOfMetConditions: what a hypothesis said would kill it, and has happened, is asked for first.
func TestGapsOfMetConditions(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: two", hypothesis("One", "Cells turn by torque")+hypothesis("Two", "Cells turn by touch")+
		testOf("Donor", "kept", "lost"), 0)
	b.send("BlueLake", "DELTA[gpt]: what would kill it", "# D\n\n"+block("delta", `{"operation":"EDIT","section":"hypothesis_slate",`+
		`"target_id":"H2","payload":{"killed_if":["T1 = kept","T1 != lost"]},"rationale":"r"}`), 0)
	want := "kill H2, or say why it lives: a condition of its own was met by T1"
	if gaps := b.take().Gaps(); slices.Contains(gaps, want) {
		t.Errorf("before the result: %q", gaps)
	}
	b.send("RedSky", "DELTA[claude]: found", "# D\n\n"+block("delta", `{"operation":"EDIT","section":"discriminative_tests",`+
		`"target_id":"T1","payload":{"last_run":{"outcome":"kept"}},"rationale":"r"}`), 0)
	gaps := b.take().Gaps()
	if gaps[0] != want || slices.Contains(gaps[1:], want) {
		t.Errorf("%q", gaps)
	}
	b.compile()
	if state := currentState(t, b.roundTwo()[0].Body); !strings.Contains(state, want) {
		t.Errorf("the kickoff does not ask for it:\n%s", state)
	}
}

// TestFoundWithoutWords: a result that is a status alone is told as one.
func TestFoundWithoutWords(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: two", hypothesis("One", "Cells turn by torque")+hypothesis("Two", "Cells turn by touch")+
		testOf("Donor", "kept", "lost"), 0)
	b.send("RedSky", "DELTA[claude]: found", "# D\n\n"+block("delta", `{"operation":"EDIT","section":"discriminative_tests",`+
		`"target_id":"T1","payload":{"status":"failed"},"rationale":"r"}`), 0)
	b.compile()
	if state := currentState(t, b.roundTwo()[0].Body); !strings.Contains(state, "T1 Donor: failed; RedSky #") {
		t.Errorf("the kickoff tells\n%s", state)
	}
}
