package session_test

import (
	"strings"
	"testing"

	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// publication returns the subject and body of the version that the thread's twin publishes: what an honest
// program would send.
func publication(t *testing.T, b *bench) mail.Message {
	t.Helper()
	out := b.compile()
	m, err := b.mail.Message(t.Context(), *out.MessageID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func paired(t *testing.T) (*bench, *bench) {
	t.Helper()
	pair := [2]*bench{}
	for i := range pair {
		pair[i] = newBench(t)
		pair[i].start()
		pair[i].send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque"), 0)
	}
	return pair[0], pair[1]
}

// TestForgedVersionIsRefused: a COMPILED sent as mail holds the fold of its thread (AP-103), or is refused.
func TestForgedVersionIsRefused(t *testing.T) {
	twin, b := paired(t)
	m := publication(t, twin)
	head, _, _ := strings.Cut(m.Body, "## Full Artifact")
	head += "## Full Artifact\n\n"
	for name, body := range map[string]string{
		"another claim": strings.Replace(m.Body, "Cells turn by torque", "Cells do not turn", 1),
		"no artifact":   head + "brenner://artifact/" + thread + "?version=1\n",
		"another hash": head + "- **Link**: brenner://artifact/" + thread + "?version=1\n- **Artifact Hash**: " + strings.Repeat("a", 64) +
			"\n",
	} {
		sent, err := b.try("RedSky", m.Subject, body)
		if protocol.CodeOf(err) != protocol.ValidationFailed {
			t.Errorf("%s: %v", name, err)
		}
		expectFinding(t, sent, protocol.AP103, protocol.SeverityError)
	}
	b.phase(fold.PhaseCollecting)
	sent, err := b.try("RedSky", m.Subject, m.Body)
	if err != nil || sent.Message.ArtifactHash != m.ArtifactHash || m.ArtifactHash == (canon.Hash{}) {
		t.Fatalf("an honest one: %v, hash %s, want %s", err, sent.Message.ArtifactHash, m.ArtifactHash)
	}
	b.phase(fold.PhaseCompiled)
	bumped := strings.NewReplacer("v1", "v2", "version: 1", "version: 2", "Cells turn by torque", "Cells do not turn").Replace(m.Body)
	if _, err := b.try("RedSky", strings.Replace(m.Subject, "v1", "v2", 1), bumped); protocol.CodeOf(err) != protocol.ValidationFailed {
		t.Errorf("the first version with another number: %v", err)
	}
	if v, err := b.Verify(t.Context(), thread); err != nil || v.FirstBad != nil || v.Versions != 1 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	if p, err := b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator"}); err != nil ||
		p.State != session.Pending {
		t.Errorf("persist: %+v, %v", p, err)
	}
}

// TestVersionOnAnOpenThread: outside the protocol a COMPILED may say what it likes. One that holds the fold
// carries its hash there, too.
func TestVersionOnAnOpenThread(t *testing.T) {
	b := newBench(t)
	if err := b.mail.EnsureAgents(t.Context(), "BlueLake", "RedSky"); err != nil {
		t.Fatal(err)
	}
	sent, err := b.mail.Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		ThreadID: "FEAT-1", From: "BlueLake", To: []string{"RedSky"}, Subject: "COMPILED: v1 x", Body: "# Compiled Artifact v1\n",
	}})
	if err != nil || sent.Message.ArtifactHash != (canon.Hash{}) {
		t.Errorf("%v, hash %s", err, sent.Message.ArtifactHash)
	}
	if v, err := b.Verify(t.Context(), "FEAT-1"); err != nil || v.FirstBad != nil || len(v.Findings) != 1 ||
		v.Findings[0].Code != protocol.NotVerifiable {
		t.Errorf("verify: %+v, %v", v, err)
	}
}

// TestForgedVersionInTheLog: a COMPILED of ours that does not hold its fold fails verify and is not persisted,
// whatever hash it carries; an imported one without a hash is neither verified nor in the way.
func TestForgedVersionInTheLog(t *testing.T) {
	twin, b := paired(t)
	m := publication(t, twin)
	forged := strings.Replace(m.Body, "Cells turn by torque", "Cells do not turn", 1)
	entry := func(body string, hash canon.Hash) mail.Entry {
		return mail.Entry{
			Message: message.Message{ThreadID: thread, From: "Operator", To: []string{"BlueLake"}, Subject: m.Subject, Body: body,
				Intake: protocol.Strict, Importance: message.Normal},
			Type: protocol.TypeCompiled, Version: 1, ArtifactHash: hash,
		}
	}
	for name, e := range map[string]mail.Entry{
		"its words": entry(forged, m.ArtifactHash), "its hash": entry(m.Body, canon.Hash{1}), "no hash": entry(m.Body, canon.Hash{}),
	} {
		_, b := paired(t)
		if _, err := b.mail.Store().Append(t.Context(), b.mail.Project().ID, b.now, e); err != nil {
			t.Fatal(err)
		}
		if v, err := b.Verify(t.Context(), thread); err != nil || v.FirstBad == nil {
			t.Errorf("%s: verify passes: %v", name, err)
		}
		if _, err := b.Persist(t.Context(),
			session.PersistRequest{ThreadID: thread, As: "Operator"}); protocol.CodeOf(err) != protocol.ValidationFailed {
			t.Errorf("%s: persisted: %v", name, err)
		}
	}
	b.imports([3]string{"Foreign", m.Subject, forged})
	if v, err := b.Verify(t.Context(), thread); err != nil || v.FirstBad != nil || len(v.Findings) != 1 {
		t.Errorf("imported: %+v, %v", v, err)
	}
	if _, err := b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator"}); err != nil {
		t.Errorf("imported: %v", err)
	}
}
