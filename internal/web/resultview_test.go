package web

import (
	"testing"

	"brenner/internal/science"
	"brenner/internal/study"
)

// TestResultCard: a card says of a result what became of it, with its own author and message, and why it does not count.
func TestResultCard(t *testing.T) {
	by, failed := int64(9), science.PotencyFailed
	m := cardMaker{"RS-20260110-cells-turn", func(id string) (string, string) { return "Paper " + id, "retracted" }}
	row := study.LedgerRow{Result: study.Result{ResultRow: science.ResultRow{
		Test: "T1", MessageID: 2, At: "2026-01-10T08:00:00Z", Standing: science.Replaced, ReplacedBy: &by, Evidence: []string{"EV-001"},
	}, Said: "up"}, Expected: []string{"H1"}, Unexpected: []string{"H2"}}
	c := m.of(row)
	if c.Gone != "was, until #9" || !c.Struck || c.Words != "up" || c.Href != "/t/RS-20260110-cells-turn?at=2#m2" || c.Day != "10 Jan" {
		t.Errorf("%+v", c)
	}
	if s := c.Sources[0]; s.Title != "Paper EV-001" || s.Status != "retracted" || c.Control.Words != "control not stated" {
		t.Errorf("%+v", c)
	}
	row.Standing, row.ReplacedBy, row.Uncounted, row.Potency = science.Main, nil, "control failed", &failed
	if c := m.of(row); c.Struck || c.NotCounted != "not counted: control failed" || c.Control.Tone != "no" {
		t.Errorf("%+v", c)
	}
}
