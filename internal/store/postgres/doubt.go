package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/protocol"
)

// resolveFor is how long the writer tries to find out what became of a commit whose answer was
// lost.
const resolveFor = 5 * time.Second

// rolledBackError says that a transaction ended with its connection and left nothing.
type rolledBackError struct{ error }

func (r rolledBackError) Unwrap() error { return r.error }

// doubtfulError says that it is not known whether a transaction took place.
type doubtfulError struct{ error }

func (u doubtfulError) Unwrap() error { return u.error }

// resolve finds out whether a commit took place whose connection broke before the answer. It
// returns nil if it did, rolledBackError if it did not, and doubtfulError if that cannot be told.
func (w *writer) resolve(ctx context.Context, tx *transaction, cause error) error {
	for begun, pause := time.Now(), 50*time.Millisecond; ; pause *= 2 {
		took, known, err := w.took(ctx, tx)
		switch {
		case err == nil && took:
			return nil
		case err == nil && known:
			return rolledBackError{cause}
		case err == nil || ctx.Err() != nil || w.store.isClosed() || time.Since(begun)+pause > resolveFor:
			return doubtfulError{protocol.Errorf(protocol.StoreUnavailable,
				"the connection to %s broke during a commit: whether it took place is not known; "+
					"send again with the same idempotency key (%w)", w.store.place, cause)}
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// took looks for traces of a transaction. Waiting for the lock also waits for the end of the
// transaction, should the server still be at it.
func (w *writer) took(ctx context.Context, tx *transaction) (took, known bool, err error) {
	if err := w.connect(ctx); err != nil {
		return false, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.store.options.Timeout)
	defer cancel()
	var (
		now     head
		version int
	)
	err = plain{w.conn}.each(ctx, func(rows pgx.Rows) error { return now.scan(rows, &version) }, headQuery)
	if err != nil {
		return false, false, err
	}
	if now.generation < tx.head.generation {
		return false, true, nil
	}
	if now.generation == tx.head.generation {
		return string(now.writer) == string(tx.head.writer), true, nil
	}
	if len(tx.written) == 0 {
		return false, false, nil
	}
	// Others wrote since. If the transaction took place its first message is there.
	m := &tx.written[0]
	n, err := number(ctx, plain{w.conn}, "SELECT count(*) FROM messages WHERE id = $1 AND chain_hash = $2", m.ID, m.ChainHash[:])
	return n > 0, true, err
}
