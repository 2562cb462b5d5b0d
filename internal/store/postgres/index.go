package postgres

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// index keeps the search index up to date: after the messages and in large steps, so that sends
// do not wait for it. Several processes may do so; a row tells how far they came.
type index struct {
	store *Store

	last      atomic.Int64 // id of the last message written here
	watermark atomic.Int64 // as last seen
	analyzed  atomic.Int64 // the watermark when statistics were taken
	signal    chan struct{}
	stepped   chan struct{} // has an element after a step that a sender may wait for
	cancel    context.CancelFunc
	quit      <-chan struct{}
	start     func()
	running   sync.WaitGroup
}

// How the index keeps up: it waits for a pause in the sending, but not longer than until it is
// slackLag behind. Beyond maxLag senders wait for it, at most holdUp for each commit.
const (
	indexPause = 100 * time.Millisecond
	slackLag   = 10_000
	maxLag     = 50_000
	holdUp     = time.Second
)

func newIndex(s *Store) *index {
	ix := &index{store: s, signal: make(chan struct{}, 1), stepped: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	ix.cancel, ix.quit = cancel, ctx.Done()
	ix.start = sync.OnceFunc(func() { ix.running.Go(func() { ix.loop(ctx) }) })
	return ix
}

// stop ends the goroutine. The writer, which starts it, has ended before.
func (ix *index) stop() {
	ix.cancel()
	ix.running.Wait()
}

// appended says that there are new messages. It waits only if the index is far behind.
func (ix *index) appended(last int64) {
	if ix.last.Swap(last) == 0 { // the first time; until it is looked up
		ix.watermark.Store(last)
		ix.analyzed.Store(last)
	}
	ix.start()
	select {
	case ix.signal <- struct{}{}:
	default:
	}
	if last-ix.watermark.Load() > maxLag {
		ix.awaitStep()
	}
}

func (ix *index) awaitStep() {
	timer := time.NewTimer(holdUp)
	defer timer.Stop()
	select {
	case <-ix.stepped:
	case <-timer.C:
	case <-ix.quit:
	}
}

func (ix *index) loop(ctx context.Context) {
	for ix.pause(ctx) {
		_ = ix.catchUp(ctx) // what fails costs only time on the next search
		if seen := ix.analyzed.Load(); ix.watermark.Load() > firstAnalyze && ix.watermark.Load() > 4*seen {
			_ = ix.analyze(ctx)
		}
	}
}

// firstAnalyze is from how many messages on statistics matter.
const firstAnalyze = 500

// analyze takes statistics. The server does so too, but only once in a while, and a young store
// grows faster: until then it plans for tables that are nearly empty.
func (ix *index) analyze(ctx context.Context) error {
	ix.analyzed.Store(max(ix.watermark.Load(), firstAnalyze))
	return pgx.BeginFunc(ctx, ix.store.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "ANALYZE messages, deliveries, threads, events, search, agents")
		return err
	})
}

// pause waits for messages, then for a moment without any, or for too many of them. It is
// false at the end.
func (ix *index) pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-ix.signal:
	}
	begun := ix.last.Load()
	timer := time.NewTimer(indexPause)
	defer timer.Stop()
	for ix.last.Load()-begun < slackLag {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-ix.signal:
			timer.Reset(indexPause)
		}
	}
	return true
}

// catchUp indexes what is missing, step by step.
func (ix *index) catchUp(ctx context.Context) error {
	for {
		n, err := ix.step(ctx)
		select {
		case ix.stepped <- struct{}{}:
		default:
		}
		if err != nil || n == 0 {
			return err
		}
	}
}

// rebuild makes the index again from the first message. Until it is done searches look at the
// messages themselves.
func (ix *index) rebuild(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, ix.store.pool, func(tx pgx.Tx) error {
		// A process that is at a step finishes it first.
		if _, err := tx.Exec(ctx, "UPDATE search_state SET watermark = 0, epoch = epoch + 1 WHERE only_row"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "TRUNCATE search")
		return err
	})
	if err != nil {
		return err
	}
	if err := ix.catchUp(ctx); err != nil {
		return err
	}
	return ix.analyze(ctx)
}
