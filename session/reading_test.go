package session_test

import (
	"testing"

	"pgregory.net/rapid"

	"brenner/artifact/merge/mergetest"
	"brenner/mail"
	"brenner/session"
)

// A thread that is added in pages, whose messages are read in parallel, gives the same bytes as one that is
// added message by message.
func TestPagesAreFoldedInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var thread []mail.Message
		for _, m := range mergetest.Messages(mergetest.Thread(t, 200)) {
			thread = append(thread, mail.Message{Message: m})
		}
		single, paged := session.NewView(mergetest.ThreadID), session.NewView(mergetest.ThreadID)
		for _, m := range thread {
			single.Add(m)
		}
		for len(thread) > 0 {
			n := rapid.IntRange(1, len(thread)).Draw(t, "page")
			paged.Add(thread[:n]...)
			thread = thread[n:]
		}
		if a, b := save(t, single), save(t, paged); a != b {
			t.Fatalf("one by one %s\nin pages %s", a, b)
		}
	})
}

func save(t *rapid.T, v *session.View) string {
	data, err := v.Save()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
