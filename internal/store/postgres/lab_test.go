package postgres_test

import (
	"context"
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

var start = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

// lab is a project with two agents.
type lab struct {
	testing.TB
	store   mail.Store
	project mail.ProjectID
}

func newLab(t testing.TB, s mail.Store) *lab {
	t.Helper()
	p, err := s.EnsureProject(t.Context(), "/srv/lab", start)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"BlueLake", "RedSky"} {
		_, err := s.PutAgent(t.Context(), mail.Agent{Project: p.ID, Name: name, InceptionAt: start, LastActiveAt: start})
		if err != nil && protocol.CodeOf(err) != protocol.Conflict {
			t.Fatal(err)
		}
	}
	return &lab{t, s, p.ID}
}

func entry(thread, subject string) mail.Entry {
	return mail.Entry{
		Type: protocol.TypeInfo,
		Message: message.Message{
			ThreadID: thread, From: "BlueLake", To: []string{"RedSky"}, Subject: subject,
			Body: "body of " + subject, Importance: message.Normal, Intake: protocol.Strict,
		},
	}
}

func (l *lab) send(entries ...mail.Entry) ([]mail.Message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return l.store.Append(ctx, l.project, start, entries...)
}

func (l *lab) mustSend(entries ...mail.Entry) []mail.Message {
	l.Helper()
	sent, err := l.send(entries...)
	if err != nil {
		l.Fatal(err)
	}
	return sent
}

// thread reads a thread and proves its chain.
func (l *lab) thread(id string) []mail.Message {
	l.Helper()
	list, err := l.store.Messages(context.Background(), mail.MessageQuery{Project: l.project, Thread: id})
	if err != nil {
		l.Fatal(err)
	}
	var previous canon.Hash
	for i := range list {
		if previous = mail.ChainNext(previous, &list[i]); previous != list[i].ChainHash {
			l.Fatalf("message %d: its chain hash does not follow", list[i].ID)
		}
	}
	return list
}

func (l *lab) search(query string, limit int) []mail.Message {
	l.Helper()
	expr, err := mail.ParseSearch(query)
	if err != nil {
		l.Fatal(err)
	}
	found, err := l.store.Search(context.Background(), mail.SearchQuery{Project: l.project, Expr: expr, Limit: limit})
	if err != nil {
		l.Fatal(err)
	}
	return found
}

func wantCode(t testing.TB, err error, code protocol.Code) {
	t.Helper()
	if err == nil || protocol.CodeOf(err) != code {
		t.Fatalf("got error %v, want %s", err, code)
	}
}

// within fails the test if a condition does not come true soon.
func within(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 20 s", what)
		}
	}
}
