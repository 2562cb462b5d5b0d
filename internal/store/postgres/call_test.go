package postgres_test

import (
	"context"
	"errors"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres/pgtest"
)

// TestCallersError: what a caller's function returns comes back as it is, also from archives; a statement that it
// broke breaks nothing else.
func TestCallersError(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	own := errors.New("my own")
	archiver := l.store.(mail.Archiver)
	if err := archiver.Dump(t.Context(), func(mail.Record) error { return own }); !errors.Is(err, own) {
		t.Errorf("Dump returned %v", err)
	}
	broken := func(yield func(mail.Record, error) bool) { yield(mail.Record{}, own) }
	if err := open(t, pgtest.DSN(t)).Load(t.Context(), broken); !errors.Is(err, own) {
		t.Errorf("Load returned %v", err)
	}
	_, err := l.store.Compose(t.Context(), l.project, start, func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		_, _ = tx.Messages(ctx, mail.MessageQuery{Project: l.project, Thread: "\x00"}) // swallowed
		return []mail.Entry{entry("COORD-a", "INFO: after an error")}, nil
	})
	wantCode(t, err, protocol.InvalidEncoding)
	if sent := l.mustSend(entry("COORD-a", "INFO: still here")); sent[0].ID != 1 {
		t.Errorf("something was written: the next message has id %d", sent[0].ID)
	}
}
