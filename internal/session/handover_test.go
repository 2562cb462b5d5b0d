package session_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/worktree"
)

// readCounter is a store that counts the messages that are read.
type readCounter struct {
	mail.Store
	read, compiled int
}

func (c *readCounter) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	found, err := c.Store.Messages(ctx, q)
	c.read += len(found)
	for _, m := range found {
		if m.Type == protocol.TypeCompiled {
			c.compiled++
		}
	}
	return found, err
}

// variousDeltas are messages about which there is much and little to say.
var variousDeltas = []struct{ subject, body string }{
	{"DELTA[gpt]: One", hypothesis("Gravity", "It pulls.")},
	{"DELTA[gpt]: Two", edit("H1", "claim", "It pulls hard.")},
	{"DELTA[gpt]: Three", edit("H9", "claim", "Nothing is there.")},
	{"DELTA[gpt]: Four", edit("H1", "unheard_of", "kept as it is")},
	{"DELTA[human]: Five", edit("H1", "claim", "It pushes.")},
	{"DELTA[gpt]: Six", "# Delta\n\n## Context\n\nSee v7.\n\n" + hypothesis("Tides", "They turn.") +
		"\n```json\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\"}\n```\n"},
}

// What the door read is folded as soon as it is accepted: the log is not asked for it, and the fold is the one
// that the log gives.
func TestAcceptedMessagesAreFoldedFromTheDoor(t *testing.T) {
	store := &readCounter{Store: memory.New()}
	t.Cleanup(func() { _ = store.Close() })
	project, err := store.EnsureProject(t.Context(), t.TempDir(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	door := &session.Door{}
	b := &bench{t: t, now: time.Now(), mail: mail.NewService(store, project, mail.Options{Door: door})}
	b.Sessions = session.New(b.mail, nil, session.Settings{})
	door.Attach(b.Sessions)
	for _, name := range []string{"BlueLake", "RedSky"} {
		if _, err := b.mail.Register(t.Context(), mail.Registration{Name: name, Program: "codex-cli"}); err != nil {
			t.Fatal(err)
		}
	}
	b.start()
	b.take()
	for _, d := range variousDeltas {
		sent, err := b.mail.Send(t.Context(),
			mail.Outgoing{Draft: message.Draft{ThreadID: thread, From: "BlueLake", To: []string{"RedSky"}, Subject: d.subject,
				Body: d.body}})
		if protocol.CodeOf(err) == protocol.ValidationFailed {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		store.read = 0
		v := b.take().View
		if v.Head != sent.Message.ID || store.read != 0 {
			t.Fatalf("%s: the fold is at %d of %d after %d messages were read, %v", d.subject, v.Head, sent.Message.ID, store.read, err)
		}
		again, err := session.New(b.mail, nil, session.Settings{}).Session(t.Context(), thread)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Save()
		if err != nil {
			t.Fatal(err)
		}
		if want, err := again.View.Save(); err != nil || string(got) != string(want) {
			t.Fatalf("%s: from the door %s\nfrom the log %s, %v", d.subject, got, want, err)
		}
	}
}

// The timeline says of a DELTA what its text alone gives cause to say, without reading it again.
func TestTimelineSaysWhatTheTextSays(t *testing.T) {
	b := newBench(t)
	b.start()
	for _, d := range variousDeltas {
		_, err := b.mail.Send(t.Context(),
			mail.Outgoing{Draft: message.Draft{ThreadID: thread, From: "BlueLake", To: []string{"RedSky"}, Subject: d.subject,
				Body: d.body}})
		if err != nil && protocol.CodeOf(err) != protocol.ValidationFailed {
			t.Fatal(err)
		}
	}
	for _, when := range []string{"pending", "published"} {
		for _, e := range b.timeline(session.TimelineQuery{Limit: 50}).Entries {
			report := message.Check(e.Draft(), message.Facts{Intake: e.Intake, Existing: true})
			said := map[protocol.Code]bool{}
			for _, f := range append(findingsOf(e.Receipt), e.Findings...) {
				said[f.Code] = true
			}
			for _, f := range report.Findings {
				if !said[f.Code] {
					t.Errorf("%s, %s: %s is not said", when, e.Subject, f.Code)
				}
			}
			if e.Type == protocol.TypeDelta && e.Receipt == nil {
				t.Errorf("%s, %s has no receipt", when, e.Subject)
			}
		}
		b.compile()
	}
}

func findingsOf(r *delta.Receipt) []protocol.Finding {
	if r == nil {
		return nil
	}
	return r.Findings()
}

// countingTree counts how often files are read.
type countingTree struct {
	session.Worktree
	reads int
}

func (c *countingTree) Read(path string) ([]byte, bool, error) {
	c.reads++
	return c.Worktree.Read(path)
}

// A compile that persists reads the file once, and of the versions its own and the one in the file.
func TestPersistReadsOnce(t *testing.T) {
	b := newBench(t)
	tree := &countingTree{Worktree: worktree.At(b.dir)}
	store := &readCounter{Store: b.mail.Store()}
	b.mail = mail.NewService(store, b.mail.Project(), mail.Options{Now: func() time.Time { return b.now }})
	b.Sessions = session.New(b.mail, tree, session.Settings{})
	b.start()
	for n := range 5 {
		b.send("BlueLake", "DELTA[gpt]: More", hypothesis(fmt.Sprintf("Gravity %d", n), "It pulls."), 0)
		b.take()
		tree.reads, store.read, store.compiled = 0, 0, 0
		out, err := b.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator", Persist: true})
		if err != nil || out.Version != n+1 || out.Persistence.State != session.Pending {
			t.Fatalf("%+v, %v", out.Persistence, err)
		}
		if tree.reads != 1 || store.compiled > 2 {
			t.Errorf("v%d: the file was read %d times, and %d versions", n+1, tree.reads, store.compiled)
		}
	}
}
