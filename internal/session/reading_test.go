package session_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/session"
)

// A thread that is added in pages, whose messages are read in parallel, gives the same bytes as one that is
// added message by message.
func TestPagesAreFoldedInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var thread []mail.Message
		for _, m := range mergetest.Messages(mergetest.Thread(t, 200)) {
			thread = append(thread, mail.Message{Message: m})
		}
		single, paged := fold.NewView(mergetest.ThreadID), fold.NewView(mergetest.ThreadID)
		for _, m := range thread {
			session.Fold(single, m)
		}
		for len(thread) > 0 {
			n := rapid.IntRange(1, len(thread)).Draw(t, "page")
			session.Fold(paged, thread[:n]...)
			thread = thread[n:]
		}
		if a, b := save(t, single), save(t, paged); a != b {
			t.Fatalf("one by one %s\nin pages %s", a, b)
		}
	})
}

// A draft keeps no windows for pages, and comes to the same outcome.
func TestDraftsHaveTheSameOutcome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draft, view := fold.NewDraft(mergetest.ThreadID), fold.NewView(mergetest.ThreadID)
		for _, m := range mergetest.Messages(mergetest.Thread(t, 20)) {
			session.Fold(draft, mail.Message{Message: m})
			session.Fold(view, mail.Message{Message: m})
		}
		a, errA := json.Marshal(session.OutcomeOf(draft))
		b, errB := json.Marshal(session.OutcomeOf(view))
		if string(a) != string(b) || errA != nil || errB != nil || len(draft.Windows) > 0 {
			t.Fatalf("draft %s\nview %s, %d windows, %v, %v", a, b, len(draft.Windows), errA, errB)
		}
	})
}

func save(t *rapid.T, v *fold.View) string {
	data, err := v.Save()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
