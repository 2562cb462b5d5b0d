package mailtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

// start is the time at which every test begins.
var start = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

// fixture is an empty store with one project and three agents.
type fixture struct {
	testing.TB
	engine  Engine
	store   mail.Store
	project mail.ProjectID
	ctx     context.Context
}

func newFixture(t testing.TB, engine Engine) *fixture {
	t.Helper()
	f := &fixture{TB: t, engine: engine, store: engine.New(t), ctx: t.Context()}
	p, err := f.store.EnsureProject(f.ctx, "/srv/Lab One", start)
	f.must(err)
	f.project = p.ID
	for _, name := range []string{"BlueLake", "RedSky", "GreenHill"} {
		f.register(name)
	}
	return f
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// wantCode fails unless the error has a code.
func (f *fixture) wantCode(err error, code protocol.Code) {
	f.Helper()
	if err == nil || protocol.CodeOf(err) != code {
		f.Fatalf("got error %v, want %s", err, code)
	}
}

func (f *fixture) register(name string) mail.Agent {
	f.Helper()
	a, err := f.store.PutAgent(f.ctx, mail.Agent{
		Project: f.project, Name: name, Program: "codex-cli", Model: "gpt-5.2",
		InceptionAt: start, LastActiveAt: start,
	})
	f.must(err)
	return a
}

// entry is a message from BlueLake to RedSky.
func (f *fixture) entry(thread, subject string) mail.Entry {
	return mail.Entry{
		Type: protocol.TypeInfo,
		Message: message.Message{
			ThreadID: thread, From: "BlueLake", To: []string{"RedSky"}, Subject: subject,
			Body: "body of " + subject, Importance: message.Normal, Intake: protocol.Strict,
		},
	}
}

func (f *fixture) append(entries ...mail.Entry) []mail.Message {
	f.Helper()
	messages, err := f.store.Append(f.ctx, f.project, start, entries...)
	f.must(err)
	if len(messages) != len(entries) {
		f.Fatalf("%d entries gave %d messages", len(entries), len(messages))
	}
	return messages
}

// send appends n messages to a thread, one call each.
func (f *fixture) send(thread string, n int) []mail.Message {
	f.Helper()
	var sent []mail.Message
	for i := range n {
		sent = append(sent, f.append(f.entry(thread, fmt.Sprintf("INFO: number %d", i)))...)
	}
	return sent
}

func (f *fixture) messages(q mail.MessageQuery) []mail.Message {
	f.Helper()
	q.Project = f.project
	messages, err := f.store.Messages(f.ctx, q)
	f.must(err)
	return messages
}

func (f *fixture) thread(id string) mail.Thread {
	f.Helper()
	threads, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project, IDs: []string{id}})
	f.must(err)
	if len(threads) != 1 {
		f.Fatalf("thread %s: %d summaries", id, len(threads))
	}
	return threads[0]
}
