package app

import (
	"context"
	"time"

	"brenner/internal/store/postgres"
)

// recoveryPause is how long OpenReady waits before it asks again.
const recoveryPause = 250 * time.Millisecond

// OpenReady is Open for a server, which may be started together with its PostgreSQL: while that is starting or in
// recovery it waits, as long as the context lasts. waiting is told why, once.
func OpenReady(ctx context.Context, o Options, waiting func(error)) (*App, error) {
	for {
		a, err := openWritable(ctx, o)
		if err == nil || !postgres.Recovering(err) {
			return a, err
		}
		if waiting != nil {
			waiting(err)
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
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
