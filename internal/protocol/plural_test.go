package protocol_test

import (
	"testing"

	"brenner/internal/protocol"
)

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"0 critiques":   protocol.Plural(0, "critique"),
		"1 critique":    protocol.Plural(1, "critique"),
		"2 critiques":   protocol.Plural(2, "critique"),
		"1 hypothesis":  protocol.Plural(1, "hypothesis"),
		"3 hypotheses":  protocol.Plural(3, "hypothesis"),
		"5 anomalies":   protocol.Plural(5, "anomaly"),
		"2 days":        protocol.Plural(2, "day"),
		"2 boxes":       protocol.Plural(2, "box"),
		"2 lint errors": protocol.Plural(2, "lint error"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whatever a finding quotes, its message is one line.
func TestMessageOnOneLine(t *testing.T) {
	f := protocol.NewFinding(protocol.TargetKilled, "H1 was killed: %s", "one\r\ntwo\u2028three\n")
	if want := "H1 was killed: one two three"; f.Message != want {
		t.Errorf("%q, want %q", f.Message, want)
	}
}
