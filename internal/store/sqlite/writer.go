package sqlite

import (
	"context"

	codes "modernc.org/sqlite/lib"

	"brenner/internal/mail/planner"
	"brenner/internal/store/commitqueue"
)

// writer runs the calls of the queue, many in one transaction. It belongs to the goroutine of the queue.
type writer struct {
	store *Store
	queue *commitqueue.Queue[*transaction]

	plan    *planner.Plan // what is known of the data; nil: nothing
	planned int64         // data version that the plan belongs to
	of      *files        // connections that it belongs to
}

type call = commitqueue.Call[*transaction]

func newWriter(s *Store) *writer {
	w := &writer{store: s}
	w.queue = commitqueue.New(w, s.options.MaxBatch)
	go w.queue.Serve()
	return w
}

// do runs a call in a transaction and waits for its commit. A call that fails must not have
// written anything, or fail with a fault; see transaction. It may run more than once.
func (w *writer) do(ctx context.Context, doing string, run func(tx *transaction) error) error {
	return w.submit(doing, &call{Ctx: ctx, Run: func(_ context.Context, tx *transaction) error { return run(tx) }})
}

// doAlone is do for a call that can run once only.
func (w *writer) doAlone(ctx context.Context, doing string, run func(tx *transaction) error) error {
	return w.submit(doing, &call{Ctx: ctx, Run: func(_ context.Context, tx *transaction) error { return run(tx) }, Alone: true})
}

func (w *writer) submit(doing string, c *call) error {
	return w.store.failure(doing, commitqueue.Cause(w.queue.Do(c)))
}

// Whole implements commitqueue.Engine: behind a lock of another process every call would wait as long.
func (w *writer) Whole(err error) bool {
	switch resultCode(err) {
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return true
	}
	return false
}

// Commit implements commitqueue.Engine.
func (w *writer) Commit(batch []*call) error {
	tx, release, err := w.start()
	if err != nil {
		return err
	}
	err = tx.runBatch(batch)
	release()
	if err != nil {
		w.plan = nil
		w.store.suspect(tx.files, err)
		return err
	}
	w.plan = tx.plan
	if tx.events > 0 {
		w.store.notify.wake()
	}
	if tx.messages > 0 {
		w.store.index.appended(tx.plan.LastID())
	}
	return nil
}

// start begins a transaction, on new connections if the ones that are open turn out to be of no
// use any more.
func (w *writer) start() (tx *transaction, release func(), err error) {
	for range 2 {
		var f *files
		if f, release, err = w.store.use(context.Background()); err != nil {
			return nil, nil, err
		}
		if tx, err = w.begin(f); err == nil {
			return tx, release, nil
		}
		release()
		w.plan = nil
		if !distrusted(err) {
			break
		}
		w.store.suspect(f, err)
	}
	return nil, nil, err
}

// runBatch runs calls and commits them, or rolls back.
func (tx *transaction) runBatch(batch []*call) error {
	err := tx.prefetch(batch)
	for _, c := range batch {
		if err != nil {
			break
		}
		err = c.RunIn(context.Background(), tx)
	}
	if err == nil {
		err = tx.flush()
	}
	if err == nil {
		err = tx.commit()
	}
	if err != nil {
		tx.rollback()
	}
	return err
}
