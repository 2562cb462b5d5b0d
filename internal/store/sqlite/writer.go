package sqlite

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"brenner/mail"
	"brenner/mail/planner"
	"brenner/protocol"
)

// writer is the one goroutine that writes. Calls queue up; it takes what is there, runs them in one
// transaction, and tells each its own outcome after the commit, so that many senders share one
// sync to disk.
type writer struct {
	store *Store
	queue chan *call
	quit  chan struct{}
	ended chan struct{}
	once  sync.Once
	last  int // calls in the last batch

	plan    *planner.Plan // what is known of the data; nil: nothing
	planned int64      // data version that the plan belongs to
	of      *files     // connections that it belongs to
}

// call is one piece of work for the writer.
type call struct {
	ctx   context.Context
	run   func(tx *transaction) error
	alone bool // it can run once only: in a transaction of its own

	project mail.ProjectID  // of entries
	entries []planner.Prepared // what an append writes, so that a batch can ask for its facts at once

	err  error
	done chan struct{}
	mu   sync.Mutex // held while run runs
}

// leave returns the context's error once run no longer runs nor will: it may use what belongs to
// the caller.
func (c *call) leave() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ctx.Err()
}

func newWriter(s *Store) *writer {
	w := &writer{
		store: s, queue: make(chan *call, s.options.MaxBatch),
		quit: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.loop()
	return w
}

// stop lets calls that are queued finish, then ends the goroutine.
func (w *writer) stop() {
	w.once.Do(func() { close(w.quit) })
	<-w.ended
}

// do runs a call in a transaction and waits for its commit. A call that fails must not have
// written anything, or fail with a fault; see transaction. It may run more than once.
func (w *writer) do(ctx context.Context, doing string, run func(tx *transaction) error) error {
	return w.submit(doing, &call{ctx: ctx, run: run, done: make(chan struct{})})
}

// doAlone is do for a call that can run once only.
func (w *writer) doAlone(ctx context.Context, doing string, run func(tx *transaction) error) error {
	return w.submit(doing, &call{ctx: ctx, run: run, alone: true, done: make(chan struct{})})
}

func (w *writer) submit(doing string, c *call) error {
	ctx := c.ctx
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-w.quit:
		return mail.Closed()
	default:
	}
	select {
	case w.queue <- c:
	case <-w.quit:
		return mail.Closed()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-c.done:
		return w.store.failure(doing, c.err)
	case <-ctx.Done():
		return c.leave()
	case <-w.ended:
		select {
		case <-c.done:
			return w.store.failure(doing, c.err)
		default:
			return mail.Closed()
		}
	}
}

func (w *writer) loop() {
	defer close(w.ended)
	for {
		select {
		case first := <-w.queue:
			w.serve(first)
		case <-w.quit:
			w.drain()
			return
		}
	}
}

// drain serves what was queued before the end.
func (w *writer) drain() {
	for {
		select {
		case first := <-w.queue:
			w.serve(first)
		default:
			return
		}
	}
}

// serve runs a call together with those that wait behind it.
func (w *writer) serve(first *call) {
	w.yield()
	batch, next := w.collect(first)
	w.last = len(batch)
	w.commit(batch)
	for _, c := range batch {
		close(c.done)
	}
	if next != nil {
		w.serve(next)
	}
}

// yield lets senders that were just answered queue their next call: batches get larger, syncs
// fewer. It gives up when as many are there as the last time, or nobody comes any more.
func (w *writer) yield() {
	for range maxYields {
		runtime.Gosched()
		if len(w.queue)+1 >= w.last {
			return
		}
	}
}

const maxYields = 10

// collect takes what waits behind a call, up to one that has to run alone.
func (w *writer) collect(first *call) (batch []*call, next *call) {
	batch = []*call{first}
	for !first.alone && len(batch) < w.store.options.MaxBatch {
		select {
		case c := <-w.queue:
			if c.alone {
				return batch, c
			}
			batch = append(batch, c)
		default:
			return batch, nil
		}
	}
	return batch, nil
}

// commit runs a batch in one transaction. If that fails as a whole, each call gets a
// transaction of its own, so that one bad call does not fail the others.
func (w *writer) commit(batch []*call) {
	err := w.attempt(batch)
	if err == nil {
		return
	}
	if len(batch) == 1 {
		batch[0].err = withoutFault(err)
		return
	}
	for _, c := range batch {
		if err := w.attempt([]*call{c}); err != nil {
			c.err = withoutFault(err)
		}
	}
}

// attempt runs calls in one transaction. An error means that nothing of it is there; errors
// of single calls stand in them.
func (w *writer) attempt(batch []*call) error {
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
		if c.err = tx.runCall(c); isFault(c.err) {
			err = c.err
		}
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

// runCall runs a call unless its caller has gone. A panic of the caller's function fails that call
// and does not end the program.
func (tx *transaction) runCall(c *call) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.ctx.Err(); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fault{protocol.Errorf(protocol.Internal, "writing to the store: panic: %v", r)}
		}
	}()
	return c.run(tx)
}

// fault marks an error after which the transaction cannot go on.
type fault struct{ error }

func (f fault) Unwrap() error { return f.error }

func isFault(err error) bool {
	_, ok := errors.AsType[fault](err)
	return ok
}

// withoutFault is the error itself.
func withoutFault(err error) error {
	if f, ok := errors.AsType[fault](err); ok {
		return withoutFault(f.error)
	}
	return err
}
