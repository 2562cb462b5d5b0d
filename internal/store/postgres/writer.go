package postgres

import (
	"context"
	"crypto/rand"
	"runtime"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/mail"
	"brenner/mail/planner"
	"brenner/protocol"
)

// writer is the one goroutine that writes. Calls queue up; it takes what is there, runs them in one
// transaction, and tells each its own outcome after the commit, so that many senders share one
// sync to disk.
type writer struct {
	store *Store
	token []byte // tells this writer from others
	queue chan *call
	quit  chan struct{}
	ended chan struct{}
	once  sync.Once

	conn   *pgx.Conn  // nil: none
	plan   *planner.Plan // what is known of the data; nil: nothing
	head   head       // after the last commit; the plan holds as long as nobody else moved it
	expect int        // how many calls may be under way

	caution int // how many more transactions ask before they write
}

// call is one piece of work for the writer.
type call struct {
	ctx     context.Context
	run     func(ctx context.Context, tx *transaction) error
	alone   bool // it takes long, and shares its transaction with nobody
	project mail.ProjectID
	entries []planner.Prepared // what it is going to append, if that is known
	size    int             // bytes of their text
	err     error
	done    chan struct{}
	mu      sync.Mutex // held while run runs
}

// leave returns the context's error, once run no longer runs nor will: it may use what belongs
// to the caller.
func (c *call) leave() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ctx.Err()
}

// maxBatchBytes bounds the text that shares one transaction.
const maxBatchBytes = 8 << 20

func newWriter(s *Store) *writer {
	token := make([]byte, 16)
	rand.Read(token) // it never fails
	return &writer{
		store: s, token: token, queue: make(chan *call, s.options.MaxBatch),
		quit: make(chan struct{}), ended: make(chan struct{}),
	}
}

// stop lets calls that are queued finish, then ends the goroutine.
func (w *writer) stop() {
	w.once.Do(func() { close(w.quit) })
	<-w.ended
}

// do runs a function in a transaction and waits for its commit. If the function fails it must not
// have queued anything, or fail with a fault; see transaction. Its context never ends early.
func (w *writer) do(ctx context.Context, doing string, run func(ctx context.Context, tx *transaction) error) error {
	return w.submit(doing, &call{ctx: ctx, run: run})
}

// doAlone is do for work that takes long: it ends with its caller's context.
func (w *writer) doAlone(ctx context.Context, doing string, run func(ctx context.Context, tx *transaction) error) error {
	return w.submit(doing, &call{ctx: ctx, run: run, alone: true})
}

func (w *writer) submit(doing string, c *call) error {
	ctx := c.ctx
	if err := ctx.Err(); err != nil {
		return err
	}
	c.done = make(chan struct{})
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
	case <-ctx.Done():
		return c.leave()
	case <-w.ended:
		select {
		case <-c.done:
		default:
			return mail.Closed()
		}
	}
	return w.store.failure(ctx, doing, c.err)
}

func (w *writer) loop() {
	defer close(w.ended)
	defer w.hangUp()
	var next *call // came too late for the last batch
	for {
		if next != nil {
			next = w.serve(next)
			continue
		}
		select {
		case first := <-w.queue:
			next = w.serve(first)
			continue
		default:
		}
		select {
		case first := <-w.queue:
			next = w.serve(first)
		case <-w.quit:
			return
		}
	}
}

// serve runs a call together with those that wait behind it, and returns one that did not fit.
func (w *writer) serve(first *call) (next *call) {
	w.gather()
	batch := []*call{first}
	size := first.size
	for !first.alone && next == nil && len(batch) < w.store.options.MaxBatch && size < maxBatchBytes {
		select {
		case c := <-w.queue:
			if c.alone {
				next = c
				continue
			}
			batch = append(batch, c)
			size += c.size
			continue
		default:
		}
		break
	}
	w.commit(batch)
	w.expect = min(len(batch)+len(w.queue), w.store.options.MaxBatch)
	for _, c := range batch {
		close(c.done)
	}
	return next
}

// gatherFor bounds how long a call waits for company. A commit takes several times as long.
const gatherFor = 100 * time.Microsecond

// gather lets senders that were just answered queue their next call: without it those of one
// batch miss the next, and half of the syncs are wasted. Who sends alone waits for nobody.
func (w *writer) gather() {
	if w.expect < 2 {
		return
	}
	for begun := time.Now(); len(w.queue)+1 < w.expect && time.Since(begun) < gatherFor; {
		runtime.Gosched()
	}
}

// runIn runs the call unless its caller has gone. A panic of a caller's function fails that
// call and does not end the program.
func (c *call) runIn(ctx context.Context, tx *transaction) (err error) {
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
	return c.run(ctx, tx)
}
