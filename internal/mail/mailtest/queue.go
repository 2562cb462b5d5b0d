package mailtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var queue = []testCase{
	{"calls that wait together", waitTogether},
	{"a caller's function fails", callersError},
	{"a caller's function panics", callerPanics},
	{"closing under way", closingUnderWay},
}

// waitTogether keeps a transaction open while others queue up behind it, good and bad ones: each gets its own
// outcome, and the good ones are there in one piece.
func waitTogether(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	const n = 30
	started, behind := make(chan struct{}), sync.WaitGroup{}
	behind.Add(n)
	outcomes := make(chan []error, 1)
	go func() {
		<-started
		outcomes <- parallel(n, func(i int) error {
			entries := []mail.Entry{f.entry("COORD-a1", fmt.Sprintf("INFO: %d", i)), f.entry("COORD-a1", fmt.Sprintf("INFO: %d too", i))}
			if i%10 == 5 {
				entries = append(entries, f.entryFrom("BlueLake", "Nobody"))
			}
			behind.Done()
			_, err := f.store.Append(f.ctx, f.project, start, entries...)
			return err
		})
	}()
	_, err := f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) {
		close(started)
		behind.Wait()
		return []mail.Entry{f.entry("COORD-a1", "INFO: first")}, nil
	})
	f.must(err)
	for i, err := range <-outcomes {
		if bad := i%10 == 5; bad != (protocol.CodeOf(err) == protocol.UnknownAgent) || !bad && err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	f.same("messages", len(f.checkChain("COORD-a1")), 1+2*n*9/10)
}

// callersError: what a caller's function returns comes back as it is.
func callersError(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	own := errors.New("my own")
	_, err := f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) { return nil, own })
	if !errors.Is(err, own) {
		t.Errorf("Compose returned %v", err)
	}
	_, err = f.store.Reservations(f.ctx, f.project, start, func([]mail.Reservation) ([]mail.Reservation, error) { return nil, own })
	if !errors.Is(err, own) {
		t.Errorf("Reservations returned %v", err)
	}
	f.same("the next message", f.send("COORD-a1", 1)[0].ID, int64(1))
}

// callerPanics: a panic of a caller's function is its own failure, and nothing of it is written.
func callerPanics(t *testing.T, engine Engine) {
	if engine.Again == nil {
		return // the function runs on its caller's goroutine
	}
	f := newFixture(t, engine)
	_, err := f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) { panic("my own") })
	f.wantCode(err, protocol.Internal)
	if !strings.Contains(err.Error(), "my own") {
		t.Errorf("a panic came back as %v", err)
	}
	f.same("the next message", f.send("COORD-a1", 1)[0].ID, int64(1))
}

// closingUnderWay closes a store while many send: what was answered is there, the rest was told that the store is closed.
func closingUnderWay(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	other := f.again()
	if other == nil {
		return // no other handle could look afterwards
	}
	var mu sync.Mutex
	answered, some := map[string]mail.Message{}, make(chan struct{}, 1)
	go func() {
		<-some
		if err := f.store.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, err := range parallel(senders, func(s int) error {
		for i := 0; ; i++ {
			m, err := f.store.Append(f.ctx, f.project, start, f.entry("COORD-a1", fmt.Sprintf("INFO: %d/%d", s, i)))
			if err != nil {
				return err
			}
			mu.Lock()
			answered[m[0].Subject] = m[0]
			mu.Unlock()
			if i == 3 {
				select {
				case some <- struct{}{}:
				default:
				}
			}
		}
	}) {
		f.wantCode(err, protocol.StoreUnavailable)
	}
	sent := other.checkChain("COORD-a1")
	f.same("messages", len(sent), len(answered))
	for _, m := range sent {
		f.same("a message that was answered", m, answered[m.Subject])
	}
}
