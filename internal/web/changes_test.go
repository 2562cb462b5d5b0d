package web

import (
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// A message records a result where the science says that it does, and nowhere else: a run that was blocked gives none.
func TestVerbOfResults(t *testing.T) {
	entry := func(results ...artifact.ItemID) session.Entry {
		return session.Entry{
			Message: mail.Message{Message: message.Message{}, Type: protocol.TypeDelta}, Results: results,
			Changes: []fold.Change{
				{Item: "T1", Kind: fold.Edited, Path: artifact.Status, New: "blocked"},
				{Item: "T1", Kind: fold.Edited, Path: artifact.LastRun, New: "{}"},
			},
		}
	}
	if got := verbOf(entry()); got != "rewrites T1" {
		t.Errorf("a blocked run %s", got)
	}
	if got := verbOf(entry("T1")); got != "records a result" {
		t.Errorf("a result: %s", got)
	}
}
