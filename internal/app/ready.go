package app

import (
	"context"
	"time"

	"brenner/internal/store/postgres"
)

// recoveryPause is how long whenReady waits before it tries again.
const recoveryPause = 250 * time.Millisecond

// OpenReady is Open for a server, which may be started together with its PostgreSQL or while that fails over: it waits
// until that passes, as long as the context lasts. waiting is told why, once.
func OpenReady(ctx context.Context, o Options, waiting func(error)) (a *App, err error) {
	err = whenReady(ctx, o.dsn(), waiting, func() error {
		a, err = openWritable(ctx, o)
		return err
	})
	return a, err
}

// whenReady does something with the store at an address, again and again while its server is recovering.
func whenReady(ctx context.Context, dsn string, waiting func(error), do func() error) error {
	for {
		err := do()
		if err == nil || !postgres.Recovering(dsn, err) {
			return err
		}
		if waiting != nil {
			waiting(err)
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(recoveryPause):
		}
	}
}

func openWritable(ctx context.Context, o Options) (*App, error) {
	a, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if _, err := a.Store.Status(ctx); err != nil {
		_ = a.Close() // the first error says what is wrong
		return nil, err
	}
	return a, nil
}
