package mailtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Tampering reaches behind a store's back to the rows of its messages.
type Tampering struct {
	// Columns are the columns of a message that verification covers.
	Columns []string

	// Get returns a value as a string, []byte, int64 or nil.
	Get func(id int64, column string) any

	// Set writes one.
	Set func(id int64, column string, value any)

	// Delete removes a message.
	Delete func(id int64)

	// Summary changes a number of a thread's summary: messages, first_id, head_id or latest_version.
	Summary func(thread, column string, value int64)

	// Kept puts other data into what is kept of a thread.
	Kept func(kind mail.ProjectionKind, key string, data []byte)
}

// RunTamper flips bits of stored messages, one at a time, and wants verification to name the
// first message that does not match (PROTOCOL 14). behind opens the back door of a store.
func RunTamper(t *testing.T, engine Engine, behind func(t *testing.T, s mail.Store) Tampering) {
	f := newFixture(t, engine)
	s := mail.NewService(f.store, mail.Project{ID: f.project}, mail.Options{Now: func() time.Time { return start }})
	f.conversation(s)
	messages := f.messages(mail.MessageQuery{Thread: tampered})
	door := behind(t, f.store)
	f.same("first bad before", f.firstBad(s), int64(0))

	random := rand.New(rand.NewPCG(1, 2))
	for i, m := range messages {
		next := messages[len(messages)-1].ID // if it is the last, the summary tells
		if i+1 < len(messages) {
			next = messages[i+1].ID
		}
		for _, column := range door.Columns {
			value := door.Get(m.ID, column)
			for range 3 {
				changed, ok := flipped(random, value)
				if !ok {
					continue
				}
				door.Set(m.ID, column, changed)
				got := f.firstBad(s)
				if got != m.ID && got != next { // a row that moved away is missed by the next
					t.Errorf("%s of message %d changed from %.40q to %.40q: first bad is %d", column, m.ID, show(value), show(changed), got)
				}
				door.Set(m.ID, column, value)
			}
		}
	}
	f.same("first bad when all is put back", f.firstBad(s), int64(0))
	f.summaries(s, door)
	f.keptData(s, door)
	door.Delete(messages[len(messages)-1].ID)
	f.same("first bad after the last was deleted", f.firstBad(s), messages[len(messages)-1].ID)
	door.Delete(messages[3].ID)
	f.same("first bad after one was deleted", f.firstBad(s), messages[4].ID)
}

// summaries changes the summary of the thread: verification says so, and Rebuild makes it again, unless the summary knew more
// than the log has. That is loss, and nothing repairs it away.
func (f *fixture) summaries(s *mail.Service, door Tampering) {
	f.Helper()
	before := f.thread(tampered)
	for _, change := range []struct {
		column       string
		value, whole int64
		code         protocol.Code
	}{
		{"first_id", 99, 0, protocol.KeptMismatch}, {"messages", int64(before.Messages) - 1, 0, protocol.KeptMismatch},
		{"messages", 99, int64(before.Messages), protocol.RecordLost},
		{"latest_version", 99, int64(before.LatestVersion), protocol.RecordLost},
	} {
		found := func() {
			f.Helper()
			v, err := s.Verify(f.ctx, tampered, hashProof{})
			f.must(err)
			if v.FirstBad == nil || len(v.Findings) != 1 || v.Findings[0].Code != change.code {
				f.Errorf("%s of the summary changed: %+v, %v", change.column, v.FirstBad, v.Findings)
			}
		}
		door.Summary(tampered, change.column, change.value)
		found()
		f.must(f.store.Rebuild(f.ctx))
		if change.code == protocol.RecordLost {
			found()
			door.Summary(tampered, change.column, change.whole)
		}
		f.same("the summary made again", f.thread(tampered), before)
		f.same("first bad after a rebuild", f.firstBad(s), int64(0))
	}
}

// keptData changes what is kept: it is not believed any more.
func (f *fixture) keptData(s *mail.Service, door Tampering) {
	f.Helper()
	const kind mail.ProjectionKind = "tampered"
	put := mail.Projection{Kind: kind, Key: "a", Through: 3, Data: []byte("one word")}
	f.must(s.Keep(f.ctx, put))
	got, err := s.Kept(f.ctx, kind, "a")
	f.must(err)
	f.same("what is kept", got, put)
	raw, err := f.store.Projection(f.ctx, f.project, kind, "a")
	f.must(err)
	for _, data := range [][]byte{[]byte(strings.Replace(string(raw.Data), "one word", "two word", 1)), []byte("short"), nil} {
		door.Kept(kind, "a", data)
		_, err = s.Kept(f.ctx, kind, "a")
		f.wantCode(err, protocol.KeptMismatch)
	}
	_, err = s.Kept(f.ctx, kind, "b")
	f.wantCode(err, protocol.NotFound)
}

const tampered = "RS-20260110-tampered-with"

func show(v any) string {
	if b, ok := v.([]byte); ok {
		return fmt.Sprintf("%x", b)
	}
	return fmt.Sprint(v)
}

// conversation fills a thread with all that a row can hold.
func (f *fixture) conversation(s *mail.Service) {
	f.Helper()
	send := func(d message.Draft) mail.Message {
		f.Helper()
		d.ThreadID = tampered
		v, err := s.Send(f.ctx, mail.Outgoing{Draft: d, Key: d.Subject})
		f.must(err)
		return v.Message
	}
	f.send("COORD-other", 2)
	send(message.Draft{
		From: "BlueLake", To: []string{"RedSky"}, Cc: []string{"GreenHill"}, Bcc: []string{"BlueLake"}, Subject: "KICKOFF: begin",
		Importance: message.High,
		Body:       "# S\n\n## Research Question\nWhy?\n\n## Context\nSome.\n\n## Excerpt\n> x (§1)\n",
	})
	imported :=
		fmt.Sprintf(`{"id":900,"thread_id":%q,"from":"Foreign","to":["RedSky"],"subject":"INFO: imported","body_md":"b",`+
			`"created_ts":"2026-01-01T10:00:00Z"}
		{"id":901,"thread_id":%q,"from":"RedSky","to":["Foreign"],"subject":"Re: INFO: imported","body_md":"b",`+
			`"created_ts":"2026-01-01T10:01:00Z","reply_to":900}`, tampered, tampered)
	_, err := transfer.Import(f.ctx, s, strings.NewReader(imported))
	f.must(err)
	for i := range 3 {
		send(message.Draft{
			From: "RedSky", To: []string{"BlueLake"}, Subject: fmt.Sprintf("DELTA[gpt]: change %d", i), Body: "# D\n\n```delta\n" +
				`{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, "payload": {"name": "one", "claim": "c", ` +
				`"mechanism": "m", "anchors": ["§1"]}, "rationale": "r"}` + "\n```\n",
		})
		f.must(f.publish(s))
	}
	send(message.Draft{From: "GreenHill", To: []string{"BlueLake"}, Subject: "INFO: done", Body: "Grüße 🧪", ReplyTo: 3})
}

// publish posts the next version; its artifact hash begins with the version's number.
func (f *fixture) publish(s *mail.Service) error {
	_, err := s.Publish(f.ctx, tampered, "BlueLake", func(_ context.Context, tx mail.Tx, t mail.Thread) (*mail.Publication, error) {
		n := t.LatestVersion + 1
		c := message.Compiled{
			ThreadID: t.ID, Version: n, Previous: n - 1, CompiledAt: tx.Time(), Compiler: "BlueLake",
			Contributors: []message.Contribution{{Agent: "RedSky", Deltas: 1}},
			Validation:   message.Validation{Schema: message.Pass, ThirdAlternative: message.Missing},
			Artifact:     fmt.Sprintf("---\nsession_id: %s\nversion: %d\n---\n\n# Brenner Protocol Artifact: %s\n", t.ID, n, t.ID),
		}
		return &mail.Publication{Subject: fmt.Sprintf("COMPILED: v%d x", n), Body: message.RenderCompiled(c),
			ArtifactHash: canon.Hash{byte(n)},
			Participants: []string{"RedSky", "BlueLake"}}, nil
	})
	return err
}

// hashProof knows what the artifact hashes of the conversation should be.
type hashProof struct{}

func (hashProof) Next(m *mail.Message) (string, []protocol.Finding) {
	if m.Type == protocol.TypeCompiled && m.ArtifactHash != (canon.Hash{byte(m.Version)}) {
		return "its version does not hash to what it recorded", nil
	}
	return "", nil
}

// firstBad verifies the thread; 0 is none.
func (f *fixture) firstBad(s *mail.Service) int64 {
	f.Helper()
	v, err := s.Verify(f.ctx, tampered, hashProof{})
	f.must(err)
	if v.FirstBad == nil {
		return 0
	}
	return v.FirstBad.Message
}

// flipped returns a value with one bit turned; false if it has none.
func flipped(random *rand.Rand, value any) (any, bool) {
	switch v := value.(type) {
	case string:
		b, ok := flipped(random, []byte(v))
		if !ok {
			return nil, false
		}
		return string(b.([]byte)), true
	case []byte:
		if len(v) == 0 {
			return nil, false
		}
		b := append([]byte{}, v...)
		b[random.IntN(len(b))] ^= 1 << random.IntN(8)
		return b, true
	case int64:
		return v ^ 1<<random.IntN(20), true
	}
	return nil, false
}
