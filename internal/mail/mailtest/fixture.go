package mailtest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// start is the time at which every test begins.
var start = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

// fixture is a store with one project and three agents.
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

// again is the same fixture on another store of the same data, or nil if the engine has none.
func (f *fixture) again() *fixture {
	f.Helper()
	if f.engine.Again == nil {
		return nil
	}
	other := *f
	other.store = f.engine.Again(f.TB, f.store)
	return &other
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

// same fails if two values differ.
func (f *fixture) same(what string, got, want any) {
	f.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		f.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func (f *fixture) register(name string) mail.Agent {
	f.Helper()
	a, err := f.store.PutAgent(f.ctx, mail.Agent{
		Project: f.project, Name: name, Program: "codex-cli", Model: "gpt-5.2", Task: "to help",
		InceptionAt: start, LastActiveAt: start,
	})
	f.must(err)
	return a
}

func (f *fixture) agent(name string) mail.Agent {
	f.Helper()
	found, err := f.store.Agents(f.ctx, f.project, name)
	f.must(err)
	if len(found) != 1 {
		f.Fatalf("%d agents are called %s", len(found), name)
	}
	return found[0]
}

func (f *fixture) retire(name string) {
	f.Helper()
	a := f.agent(name)
	a.RetiredAt = start
	_, err := f.store.PutAgent(f.ctx, a)
	f.must(err)
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

// asking is an entry that asks for an acknowledgement.
func (f *fixture) asking(thread string, to ...string) mail.Entry {
	e := f.entry(thread, "QUESTION: who knows?")
	e.Type, e.Message.AckRequired, e.Message.To = protocol.TypeQuestion, true, to
	return e
}

// imported is an entry that came from elsewhere.
func (f *fixture) imported(thread string, id int64, at time.Time) mail.Entry {
	e := f.entry(thread, fmt.Sprintf("INFO: imported %d", id))
	e.Imported, e.Message.OriginalID, e.Message.CreatedAt, e.Message.Intake = true, id, at, protocol.Lenient
	return e
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

// refuse appends entries that must fail with a code and leave nothing.
func (f *fixture) refuse(code protocol.Code, entries ...mail.Entry) {
	f.Helper()
	before := f.messages(mail.MessageQuery{})
	_, err := f.store.Append(f.ctx, f.project, start, entries...)
	f.wantCode(err, code)
	f.same("messages after a refusal", f.messages(mail.MessageQuery{}), before)
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

func (f *fixture) deliveries(q mail.DeliveryQuery) []mail.Delivery {
	f.Helper()
	q.Project = f.project
	deliveries, err := f.store.Deliveries(f.ctx, q)
	f.must(err)
	return deliveries
}

func (f *fixture) inbox(q mail.InboxQuery) []mail.Received {
	f.Helper()
	q.Project = f.project
	received, err := f.store.Inbox(f.ctx, q)
	f.must(err)
	return received
}

func (f *fixture) events(after mail.Cursor) []mail.Event {
	f.Helper()
	events, err := f.store.Events(f.ctx, mail.EventQuery{Project: f.project, After: after})
	f.must(err)
	return events
}

func (f *fixture) mark(agent string, state mail.State, ids ...int64) []mail.Delivery {
	f.Helper()
	marked, err := f.store.Mark(f.ctx, mail.Mark{Project: f.project, Agent: agent, Messages: ids, State: state, At: start})
	f.must(err)
	return marked
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

func (f *fixture) search(query string) []mail.Message {
	f.Helper()
	expr, err := mail.ParseSearch(query)
	f.must(err)
	found, err := f.store.Search(f.ctx, mail.SearchQuery{Project: f.project, Expr: expr, Limit: 20})
	f.must(err)
	return found
}

// checkChain proves a thread: order, chain and summary.
func (f *fixture) checkChain(thread string) []mail.Message {
	f.Helper()
	messages := f.messages(mail.MessageQuery{Thread: thread})
	var chain canon.Hash
	summary := mail.Thread{Project: f.project, ID: thread}
	for i := range messages {
		m := &messages[i]
		if i > 0 && m.ID <= messages[i-1].ID {
			f.Fatalf("message %d stands behind %d", m.ID, messages[i-1].ID)
		}
		if chain = mail.ChainNext(chain, m); m.ChainHash != chain {
			f.Fatalf("message %d has chain hash %s, want %s", m.ID, m.ChainHash, chain)
		}
		summary.Extend(m)
	}
	f.same("the summary of "+thread, f.thread(thread), summary)
	return messages
}

// idsOf returns the ids of messages.
func idsOf(messages []mail.Message) []int64 {
	ids := []int64{}
	for i := range messages {
		ids = append(ids, messages[i].ID)
	}
	return ids
}

func receivedIDs(received []mail.Received) []int64 {
	ids := []int64{}
	for i := range received {
		ids = append(ids, received[i].Message.ID)
	}
	return ids
}

// deliveryLines writes deliveries as "message agent kind state".
func deliveryLines(list []mail.Delivery) []string {
	lines := []string{}
	for i := range list {
		d := &list[i]
		lines = append(lines, strings.Join([]string{fmt.Sprint(d.Message), d.Agent, string(d.Kind), d.State().String()}, " "))
	}
	return lines
}
