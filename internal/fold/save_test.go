package fold_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// TestKeptGrowsWithTheArtifact: what a new process reads does not grow with the EDITs of a thread, but for a few bytes a message that say
// which hypotheses it touched.
func TestKeptGrowsWithTheArtifact(t *testing.T) {
	view := fold.NewView("RS-20260110-cells-turn")
	id := int64(0)
	take := func(from, subject, body string) {
		id++
		m := message.Message{
			ID: id, ThreadID: "RS-20260110-cells-turn", From: from, Subject: subject, Body: body,
			CreatedAt: dawn.Add(time.Duration(id) * time.Second), Intake: protocol.Strict,
		}
		view.Take(&fold.Message{Message: &m}, merge.Read(&m))
	}
	take("Operator", "KICKOFF: Why", "# Why\n\n## Research Question\nWhy?\n\n## Context\nSome.\n")
	take("Alpha", "DELTA[gpt]: three", strings.Repeat(block("ADD", "hypothesis_slate", "",
		fields{"name": "one", "claim": "It turns.", "mechanism": "m", "anchors": []string{"inference"}}), 3))
	// The least that is kept in a while: an open window comes and goes.
	least := func(messages int) int {
		size := 0
		for n := range messages {
			var body strings.Builder
			for h := 1; h <= 3; h++ {
				claim := fields{"claim": fmt.Sprintf("It turns %d times.", id)}
				body.WriteString(block("EDIT", "hypothesis_slate", fmt.Sprintf("H%d", h), claim))
			}
			take([]string{"Alpha", "Beta"}[n%2], "DELTA[gpt]: more", body.String())
			data, err := view.Save()
			if err != nil {
				t.Fatal(err)
			}
			if size == 0 || len(data) < size {
				size = len(data)
			}
		}
		return size
	}
	const first, then, aMessage = 300, 900, 48
	before := least(first)
	if after := least(then); after > before+then*aMessage {
		t.Errorf("%d bytes are kept after %d messages, %d after %d more", before, first, after, then)
	}
}
