package session_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// longThread is a thread whose messages come to several windows.
func longThread(t *rapid.T) []mail.Message {
	once := mergetest.Messages(mergetest.Thread(t, 40))
	var thread []mail.Message
	for range rapid.IntRange(1, 12).Draw(t, "times") {
		for _, m := range once {
			m.ID = int64(len(thread) + 1)
			m.CreatedAt = m.CreatedAt.Add(time.Duration(len(thread)) * time.Second)
			thread = append(thread, mail.Message{Message: m, Type: mail.Classify(m.Subject, m.Body, m.Intake)})
		}
	}
	return thread
}

// TestKeptFoldsGoOn: a fold that was kept, loaded and folded further is the fold of the whole thread, byte for byte, and so are the
// windows that both kept.
func TestKeptFoldsGoOn(t *testing.T) {
	windows := 0
	rapid.Check(t, func(t *rapid.T) {
		thread := longThread(t)
		whole := fold.NewView(mergetest.ThreadID)
		session.Fold(whole, thread...)
		windows = max(windows, len(whole.Windows))
		v, kept := fold.NewView(mergetest.ThreadID), []fold.Window(nil)
		for len(thread) > 0 {
			n := rapid.IntRange(1, len(thread)).Draw(t, "messages")
			session.Fold(v, thread[:n]...)
			thread, kept = thread[n:], append(kept, v.Fresh()...)
			loaded, err := fold.Load([]byte(save(t, v)))
			if err != nil {
				t.Fatal(err)
			}
			v = loaded
		}
		if save(t, v) != save(t, whole) {
			t.Fatal("a fold that was loaded comes to another state")
		}
		if diff := cmp.Diff(whole.Windows, kept, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
	if windows < 2 {
		t.Errorf("no thread had more than %d windows", windows)
	}
}

// TestForksAreApart: what a fork of a fold takes in leaves the fold as it was, and the other way round.
func TestForksAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		thread := longThread(t)
		at := rapid.IntRange(1, len(thread)).Draw(t, "fork after")
		v := fold.NewView(mergetest.ThreadID)
		session.Fold(v, thread[:at]...)
		before, fork := save(t, v), v.Fork()
		session.Fold(fork, thread[at:]...)
		if save(t, v) != before {
			t.Fatal("the fork changed what it was taken from")
		}
		later := save(t, fork)
		session.Fold(v, thread[at:]...)
		if save(t, v) != later || save(t, fork) != later {
			t.Fatal("the two differ after the same messages")
		}
	})
}

// edited is a thread with so many changes that windows were closed.
func edited(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn"), 0)
	for n := range 24 {
		var body strings.Builder
		for i := range 30 {
			body.WriteString(edit("H1", "claim", fmt.Sprintf("Cells turn %d times", 30*n+i)))
		}
		b.send("BlueLake", fmt.Sprintf("DELTA[gpt]: %d", n), body.String(), 0)
		if n == 10 {
			b.compile()
		}
	}
	b.Close(t.Context()) // keeps what was folded
	return b
}

// TestWindowsAreReadByThoseWhoShowThem: another process shows the same of every message, from what is kept; what is lost or
// forged is made again from the log, and verify names it.
func TestWindowsAreReadByThoseWhoShowThem(t *testing.T) {
	b := edited(t)
	all := func(s *session.Sessions) []session.Entry {
		of, err := s.Session(t.Context(), thread)
		if err != nil {
			t.Fatal(err)
		}
		page, err := of.Timeline(t.Context(), session.TimelineQuery{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		return page.Entries
	}
	want := all(b.Sessions)
	if i := slices.IndexFunc(want, func(e session.Entry) bool { return len(e.Changes) == 30 }); i < 0 {
		t.Fatalf("no message changed anything: %+v", want[0])
	}
	same := func(what string) {
		t.Helper()
		if diff := cmp.Diff(want, all(session.New(b.mail, nil, session.Settings{})), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	same("kept")
	first := b.take().View.Windows[0]
	p, err := b.mail.Kept(t.Context(), "session.window.5", fold.FormatID(first.Last))
	if err != nil || !bytes.Contains(p.Data, []byte("Cells turn 3 times")) {
		t.Fatalf("%v, %d bytes", err, len(p.Data))
	}
	p.Data = bytes.ReplaceAll(p.Data, []byte("Cells turn 3 times"), []byte("Cells burn 3 times"))
	if err := b.mail.Keep(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	proof, err := b.Verify(t.Context(), thread)
	if err != nil || len(proof.Findings) != 1 || proof.Findings[0].Code != protocol.KeptMismatch {
		t.Errorf("%+v, %v", proof.Findings, err)
	}
	same("forged")
	if proof, err := b.Verify(t.Context(), thread); err != nil || len(proof.Findings) != 0 {
		t.Errorf("made again: %+v, %v", proof.Findings, err)
	}
}
