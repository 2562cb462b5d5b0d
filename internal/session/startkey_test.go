package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// TestStartAgainUnderItsKey: a further round is opened once, however often it is tried; another round
// under the same key is refused, and sends nothing.
func TestStartAgainUnderItsKey(t *testing.T) {
	s := newBench(t)
	first := s.start()
	round := session.StartRequest{From: mail.Operator, ThreadID: first.ThreadID, Round: 2, Focus: "H1", Key: "x"}
	one, err := s.Start(t.Context(), round)
	if err != nil || len(one.Messages) != 2 {
		t.Fatalf("%+v, %v", one, err)
	}
	// a kickoff would now name it
	s.send("RedSky", "CRITIQUE: H1 forgets",
		"# Critique: H1 forgets\n\n## Target\n\n**Item**: H1\n\n## Attack\n\nNo.\n\n## Evidence\n\n§1\n\n## Severity\n\nMajor\n", 0)
	two, err := s.Start(t.Context(), round)
	if err != nil || *two.Messages[0].ID != *one.Messages[0].ID || *two.Messages[1].ID != *one.Messages[1].ID {
		t.Fatalf("%+v, %v", two, err)
	}
	round.Focus = "H2"
	if _, err := s.Start(t.Context(), round); protocol.CodeOf(err) != protocol.IdempotencyConflict {
		t.Errorf("%v", err)
	}
	if thread, err := s.Mail().Thread(t.Context(), first.ThreadID); err != nil || thread.Messages != 5 {
		t.Errorf("%+v, %v", thread, err)
	}
}

// TestStartAgainUnderTheKeyOfARequest: a request that is made again, after a server did it and was killed before it answered, starts
// nothing twice: neither a session nor a further round.
func TestStartAgainUnderTheKeyOfARequest(t *testing.T) {
	s := newBench(t)
	for name, req := range map[string]session.StartRequest{
		"a session": {From: mail.Operator, Question: "Why do cells turn?", Context: "So.",
			Roster: session.RosterRequest{Recipients: []string{"BlueLake", "RedSky"}}},
		"a session with its own": {From: mail.Operator, ThreadID: "RS-20260110-its-own-name", Question: "Why?", Context: "So.",
			Roster: session.RosterRequest{Recipients: []string{"BlueLake"}}},
		"a further round": {From: mail.Operator, ThreadID: s.start().ThreadID, Round: 2, Focus: "H1"},
	} {
		start := func() session.Started {
			started, err := s.Start(mail.WithKey(t.Context(), "api:"+name), req)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return started
		}
		one, two := start(), start()
		if diff := cmp.Diff(one.Messages, two.Messages); diff != "" || one.ThreadID != two.ThreadID {
			t.Errorf("%s: %s, then %s: %s", name, one.ThreadID, two.ThreadID, diff)
		}
		req.Question = "What else?"
		if _, err := s.Start(mail.WithKey(t.Context(), "api:"+name), req); protocol.CodeOf(err) != protocol.IdempotencyConflict {
			t.Errorf("%s: another under its key: %v", name, err)
		}
		if _, err := s.Start(mail.WithKey(t.Context(), "other:"+name), req); (err == nil) == (name == "a session with its own") {
			t.Errorf("%s: another under another key: %v", name, err)
		}
	}
}
