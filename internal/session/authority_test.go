package session_test

import (
	"strconv"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// try sends a message and returns what the door says.
func (b *bench) try(from, subject, body string) (mail.Verdict, error) {
	to := "Operator"
	if from == to {
		to = "BlueLake"
	}
	return b.mail.Send(b.t.Context(), mail.Outgoing{Draft: message.Draft{ThreadID: thread, From: from, To: []string{to}, Subject: subject,
		Body: body}})
}

// TestCompletionIsAConveners: the record of a completed session counts from a convener, of a version that
// exists, with exactly its subject; the door refuses it from others (PROTOCOL 10).
func TestCompletionIsAConveners(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
	b.compile()
	for _, c := range []struct{ from, subject string }{
		{"BlueLake", "INFO: Session complete at v1"}, {"Operator", "INFO: Session complete at v2"},
	} {
		if _, err := b.try(c.from, c.subject, "done"); protocol.CodeOf(err) != protocol.NotAllowed {
			t.Errorf("%s sends %s: %v", c.from, c.subject, err)
		}
	}
	b.send("BlueLake", "INFO: Session complete at v1 is what I hope for", "done", 0)
	b.send("BlueLake", "Re: INFO: Session complete at v1", "done", 0)
	b.imports([3]string{"BlueLake", "INFO: Session complete at v1", "forged"})
	open := func(what string) {
		t.Helper()
		b.phase(fold.PhaseCompiled)
		if doc, err := b.Document(t.Context(), thread, 0); err != nil || doc.Metadata.Status != artifact.StatusActive {
			t.Errorf("%s: the artifact is %s, %v", what, doc.Metadata.Status, err)
		}
	}
	open("after notes")
	if _, err := b.Complete(t.Context(),
		session.CompleteRequest{ThreadID: thread, As: "BlueLake", Force: "x"}); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("completed by an agent: %v", err)
	}
	open("after an agent's attempt")
	b.send("Operator", "INFO: Session complete at v1", "done", 0)
	b.phase(fold.PhaseComplete)
	if doc, err := b.Document(t.Context(), thread, 0); err != nil || doc.Metadata.Status != artifact.StatusClosed {
		t.Errorf("the artifact is %s, %v", doc.Metadata.Status, err)
	}
}

// TestRebuttalIsAConveners: an agent cannot close a critique by saying that it is wrong (PROTOCOL 11).
func TestRebuttalIsAConveners(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
	b.compile()
	n := message.Critique{Title: "No torque", Target: message.Target{Version: 1, Item: "H1"}, Attack: "Too weak.",
		Severity: "Critical"}.Notice()
	id := b.send("RedSky", n.Subject, n.Body, 0).Message.ID
	if _, err := b.CritiqueAnswer(t.Context(), id, "BlueLake", "It holds."); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("an agent's rebuttal: %v", err)
	}
	b.send("BlueLake", "INFO: Rebuttal of critique #"+strconv.FormatInt(id, 10), "It holds.", 0)
	b.phase(fold.PhaseCritique)
	if _, err := b.CritiqueAnswer(t.Context(), id, "Operator", "It holds."); err != nil {
		t.Fatal(err)
	}
	b.phase(fold.PhaseCompiled)
}

// TestHumanIsNotAnAgents: an agent of the roster that writes DELTA[human] is warned, at the door and by
// compile, and its delta is merged as its own (PROTOCOL 3).
func TestHumanIsNotAnAgents(t *testing.T) {
	b := newBench(t)
	b.start()
	expectFinding(t, b.send("BlueLake", "DELTA[human]: one", hypothesis("One", "c"), 0), protocol.ShorthandMismatch,
		protocol.SeverityWarning)
	if sent := b.send("Operator", "DELTA[human]: two", hypothesis("Two", "d"), 0); len(sent.Findings) != 0 {
		t.Errorf("a convener is warned: %v", sent.Findings)
	}
	out := b.compile()
	if len(out.Findings) == 0 || out.Findings[0].Code != protocol.ShorthandMismatch || out.Stats.Hypotheses != 2 {
		t.Errorf("%d hypotheses, %v", out.Stats.Hypotheses, out.Findings)
	}
}

// TestOperatorsNameTakesAToken: once tokens are given, no agent registers as the operator.
func TestOperatorsNameTakesAToken(t *testing.T) {
	b := newBench(t)
	if _, err := b.mail.Register(t.Context(), mail.Registration{Name: "operator"}); err != nil {
		t.Fatal(err)
	}
	a, err := b.mail.Register(t.Context(), mail.Registration{Name: "BlueLake"})
	if err != nil {
		t.Fatal(err)
	}
	a.TokenHash[0] = 1
	if _, err := b.mail.Store().PutAgent(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Operator", "oPERATOR", "Operator!"} {
		if _, err := b.mail.Register(t.Context(), mail.Registration{Name: name}); protocol.CodeOf(err) != protocol.NotAllowed {
			t.Errorf("%s was registered: %v", name, err)
		}
	}
	if _, err := b.mail.Register(t.Context(), mail.Registration{Name: "Operator", Operator: true}); err != nil {
		t.Error(err)
	}
}
