package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

// TestServerGoneAndBack: a clear error meanwhile, nothing half-written, and everything works
// again without opening the store again.
func TestServerGoneAndBack(t *testing.T) {
	server := pgtest.Start(t, pgtest.Durable)
	l := newLab(t, open(t, server.DSN()))
	for cycle, away := range []func(testing.TB){server.Stop, server.Crash} {
		before := l.mustSend(entry("COORD-a", fmt.Sprintf("INFO: before %d", cycle)))[0]
		cursor := cursorOf(l)
		if err := l.store.Wait(t.Context(), l.project, cursor-1); err != nil { // from here on the store listens
			t.Fatal(err)
		}
		woken := make(chan error, 1)
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			woken <- l.store.Wait(ctx, l.project, cursor)
		}()
		time.Sleep(500 * time.Millisecond) // it waits

		away(t)
		for doing, err := range everything(l) {
			if protocol.CodeOf(err) != protocol.StoreUnavailable || !strings.Contains(err.Error(), "postgres://") {
				t.Errorf("%s while the server is away: %v", doing, err)
			}
		}
		server.Start(t)

		after := l.mustSend(entry("COORD-a", fmt.Sprintf("INFO: after %d", cycle)))[0]
		if after.ID != before.ID+1 {
			t.Errorf("message %d follows %d: something was written while the server was away", after.ID, before.ID)
		}
		for doing, err := range everything(l) {
			if err != nil {
				t.Errorf("%s after the server is back: %v", doing, err)
			}
		}
		if err := <-woken; err != nil {
			t.Errorf("who waited all the time: %v", err)
		}
		l.thread("COORD-a")
	}
}

func cursorOf(l *lab) mail.Cursor {
	status, err := l.store.Status(context.Background())
	if err != nil {
		l.Fatal(err)
	}
	return status.Cursor
}

// everything does one call of each kind.
func everything(l *lab) map[string]error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	outcome := map[string]error{}
	_, outcome["status"] = l.store.Status(ctx)
	_, outcome["reading"] = l.store.Messages(ctx, mail.MessageQuery{Project: l.project, Limit: 1})
	_, outcome["inbox"] = l.store.Inbox(ctx, mail.InboxQuery{Project: l.project, Agent: "RedSky", Limit: 1})
	_, outcome["marking"] = l.store.Mark(ctx, mail.Mark{Project: l.project, Agent: "RedSky", Messages: []int64{1}, State: mail.Read,
		At: start})
	_, outcome["composing"] = l.store.Compose(ctx, l.project, start, func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		_, err := tx.Threads(ctx, mail.ThreadQuery{Project: l.project})
		return nil, err
	})
	_, outcome["searching"] = l.store.Search(ctx, mail.SearchQuery{Project: l.project, Expr: mail.Term{Words: []string{"body"}}, Limit: 1})
	outcome["keeping"] = l.store.PutProjection(ctx, l.project, mail.Projection{Kind: "k", Key: "key"})
	outcome["waiting"] = l.store.Wait(ctx, l.project, 0)
	outcome["dumping"] = l.store.(mail.Archiver).Dump(ctx, func(mail.Record) error { return nil })
	return outcome
}

// TestConnectionsCut: connections that died while they were idle fail no call.
func TestConnectionsCut(t *testing.T) {
	s := open(t, pgtest.DSN(t))
	l := newLab(t, s)
	l.mustSend(entry("COORD-a", "INFO: first"))
	everything(l) // now every kind of connection is there
	address, _ := parts(s.dsn)
	for range 3 {
		sql(t, address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'brenner'")
		l.mustSend(entry("COORD-a", "INFO: through"))
		for doing, err := range everything(l) {
			if err != nil {
				t.Errorf("%s over a connection that died: %v", doing, err)
			}
		}
	}
}

// TestLockedByAnother: a process that keeps the end of the log makes others wait, not for ever.
func TestLockedByAnother(t *testing.T) {
	dsn := pgtest.DSN(t)
	s, err := postgres.Open(t.Context(), dsn, postgres.Options{LockTimeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := newLab(t, s)
	other := newLab(t, open(t, dsn))
	_, err = other.store.Compose(t.Context(), other.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) {
		var senders sync.WaitGroup
		begun := time.Now()
		for range 30 {
			senders.Go(func() {
				_, err := l.send(entry("COORD-a", "INFO: too late"))
				if protocol.CodeOf(err) != protocol.StoreUnavailable || !strings.Contains(err.Error(), "locked") {
					t.Errorf("the error does not say why: %v", err)
				}
			})
		}
		senders.Wait()
		if took := time.Since(begun); took > 2*time.Second { // one wait for a batch, not one for each
			t.Errorf("it took %s to say so", took)
		}
		return []mail.Entry{entry("COORD-a", "INFO: the first")}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if sent := l.mustSend(entry("COORD-a", "INFO: the second")); sent[0].ID != 2 {
		t.Errorf("the second message has id %d", sent[0].ID)
	}
	l.thread("COORD-a")
}

func TestReadOnly(t *testing.T) {
	dsn := pgtest.DSN(t)
	newLab(t, open(t, dsn)).mustSend(entry("COORD-a", "INFO: one"))
	l := newLabOn(t, open(t, dsn+"&default_transaction_read_only=on"))
	_, err := l.send(entry("COORD-a", "INFO: two"))
	wantCode(t, err, protocol.StoreUnavailable)
	_, err = l.store.Status(t.Context())
	wantCode(t, err, protocol.StoreUnavailable)
	if got := l.thread("COORD-a"); len(got) != 1 {
		t.Errorf("a store that cannot be written shows %d messages", len(got))
	}
}

// newLabOn is a lab on a store that has one already.
func newLabOn(t testing.TB, s mail.Store) *lab {
	t.Helper()
	p, err := s.EnsureProject(t.Context(), "/srv/lab", start)
	if err != nil {
		t.Fatal(err)
	}
	return &lab{t, s, p.ID}
}

// TestText: what the database cannot hold is refused by name, what merely looks dangerous is
// kept.
func TestText(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	_, err := l.send(entry("COORD-a", "INFO: \x00"))
	wantCode(t, err, protocol.InvalidEncoding)
	_, err = l.store.Messages(t.Context(), mail.MessageQuery{Project: l.project, Thread: "a\x00b"})
	wantCode(t, err, protocol.InvalidEncoding)
	escaped := entry("COORD-a", `INFO: {"a": "\u0000"}`)
	escaped.Key = strings.Repeat(`long "key" \u0000 `, 1000)
	escaped.Payload[3] = 7
	sent := l.mustSend(escaped)
	if again := l.mustSend(escaped); again[0].ID != sent[0].ID || l.thread("COORD-a")[0].Subject != escaped.Message.Subject {
		t.Errorf("sent %+v, then %+v", sent, again)
	}
	data := []byte("\x00\xff{\"a\":\"\\u0000\"}")
	if err := l.store.PutProjection(t.Context(), l.project, mail.Projection{Kind: "state", Key: "COORD-a", Data: data}); err != nil {
		t.Fatal(err)
	}
	got, err := l.store.Projection(t.Context(), l.project, "state", "COORD-a")
	if err != nil || string(got.Data) != string(data) {
		t.Errorf("kept %q, got %q, %v", data, got.Data, err)
	}
	err = l.store.PutProjection(t.Context(), l.project, mail.Projection{Kind: "state", Key: "\x00"})
	wantCode(t, err, protocol.InvalidEncoding)
}
