package session_test

import (
	"testing"

	"brenner/mail"
	"brenner/protocol"
	"brenner/session"
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
	two, err := s.Start(t.Context(), round)
	if err != nil || *two.Messages[0].ID != *one.Messages[0].ID || *two.Messages[1].ID != *one.Messages[1].ID {
		t.Fatalf("%+v, %v", two, err)
	}
	round.Focus = "H2"
	if _, err := s.Start(t.Context(), round); protocol.CodeOf(err) != protocol.IdempotencyConflict {
		t.Errorf("%v", err)
	}
	if thread, err := s.Mail().Thread(t.Context(), first.ThreadID); err != nil || thread.Messages != 4 {
		t.Errorf("%+v, %v", thread, err)
	}
}
