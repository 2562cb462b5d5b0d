package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"brenner/internal/store/postgres/pgtest"
	"brenner/mail"
	"brenner/protocol"
)

// TestCallersError: what a caller's function returns comes back as it is; what it breaks breaks
// nothing else.
func TestCallersError(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	own := errors.New("my own")
	fail := func(context.Context, mail.Tx) ([]mail.Entry, error) { return nil, own }
	if _, err := l.store.Compose(t.Context(), l.project, start, fail); !errors.Is(err, own) {
		t.Errorf("Compose returned %v", err)
	}
	_, err := l.store.Reservations(t.Context(), l.project, start, func([]mail.Reservation) ([]mail.Reservation, error) { return nil, own })
	if !errors.Is(err, own) {
		t.Errorf("Reservations returned %v", err)
	}
	archiver := l.store.(mail.Archiver)
	if err := archiver.Dump(t.Context(), func(mail.Record) error { return own }); !errors.Is(err, own) {
		t.Errorf("Dump returned %v", err)
	}
	broken := func(yield func(mail.Record, error) bool) { yield(mail.Record{}, own) }
	if err := open(t, pgtest.DSN(t)).Load(t.Context(), broken); !errors.Is(err, own) {
		t.Errorf("Load returned %v", err)
	}
	_, err = l.store.Compose(t.Context(), l.project, start, func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		_, _ = tx.Messages(ctx, mail.MessageQuery{Project: l.project, Thread: "\x00"}) // swallowed
		return []mail.Entry{entry("COORD-a", "INFO: after an error")}, nil
	})
	wantCode(t, err, protocol.InvalidEncoding)
	_, err = l.store.Compose(t.Context(), l.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) { panic("my own") })
	wantCode(t, err, protocol.Internal)
	if !strings.Contains(err.Error(), "my own") {
		t.Errorf("a panic came back as %v", err)
	}
	if sent := l.mustSend(entry("COORD-a", "INFO: still here")); sent[0].ID != 1 {
		t.Errorf("something was written: the next message has id %d", sent[0].ID)
	}
}
