package commitqueue

import (
	"context"
	"runtime"
	"sync"
	"time"

	"brenner/internal/mail"
)

// Engine runs the calls of a batch in one transaction.
type Engine[Tx any] interface {
	// Commit begins a transaction, runs the calls in it (Call.RunIn) and commits it. An error means that
	// nothing of it is there, unless it is one of Whole; errors of single calls are kept in them.
	Commit(batch []*Call[Tx]) error

	// Whole tells whether an error of Commit is about all calls: the store cannot be used, or it is not known
	// what became of the transaction. Trying the calls one by one would take longer, or write twice.
	Whole(err error) bool
}

// MaxBytes bounds the text that shares one transaction.
const MaxBytes = 8 << 20

// Queue is the way to the one goroutine of a store that writes. Calls queue up; it takes what is there, runs
// them in one transaction, and tells each its own outcome after the commit, so that many senders share one sync to disk.
type Queue[Tx any] struct {
	engine Engine[Tx]
	most   int // calls in a batch
	calls  chan *Call[Tx]
	quit   chan struct{}
	ended  chan struct{}
	once   sync.Once
	expect int // how many calls may be under way
}

// minRoom is how many calls may wait in any queue.
const minRoom = 64

// New makes a queue for at most so many calls in a transaction. Serve serves it.
func New[Tx any](engine Engine[Tx], most int) *Queue[Tx] {
	return &Queue[Tx]{
		engine: engine, most: most, calls: make(chan *Call[Tx], max(most, minRoom)),
		quit: make(chan struct{}), ended: make(chan struct{}),
	}
}

// Stop lets calls that are queued finish, then ends Serve.
func (q *Queue[Tx]) Stop() {
	q.once.Do(func() { close(q.quit) })
	<-q.ended
}

// Do queues a call and waits for its commit. A caller whose context ends does not wait, but its function does
// not run any more, nor will it, when Do returns. After Stop the store is closed.
func (q *Queue[Tx]) Do(c *Call[Tx]) error {
	c.done = make(chan struct{})
	if err := c.Ctx.Err(); err != nil {
		return err
	}
	select {
	case <-q.quit:
		return mail.Closed()
	default:
	}
	select {
	case q.calls <- c:
	case <-q.quit:
		return mail.Closed()
	case <-c.Ctx.Done():
		return c.Ctx.Err()
	}
	return q.wait(c)
}

func (q *Queue[Tx]) wait(c *Call[Tx]) error {
	select {
	case <-c.done:
		return c.err
	case <-c.Ctx.Done():
		return c.leave()
	case <-q.ended:
	}
	select {
	case <-c.done:
		return c.err
	default:
		return mail.Closed() // it came too late
	}
}

// Serve runs calls until Stop, and what is queued then.
func (q *Queue[Tx]) Serve() {
	defer close(q.ended)
	var next *Call[Tx] // came too late for the last batch
	for {
		if next == nil {
			if next = q.take(); next == nil {
				return
			}
		}
		next = q.serve(next)
	}
}

// take waits for a call; nil: there will be none.
func (q *Queue[Tx]) take() *Call[Tx] {
	select {
	case c := <-q.calls:
		return c
	default:
	}
	select {
	case c := <-q.calls:
		return c
	case <-q.quit:
	}
	select {
	case c := <-q.calls: // queued before the end
		return c
	default:
		return nil
	}
}

// serve runs a call together with those behind it, and returns one that did not fit.
func (q *Queue[Tx]) serve(first *Call[Tx]) (next *Call[Tx]) {
	q.gather()
	batch, next := q.collect(first)
	q.commit(batch)
	q.expect = min(len(batch)+len(q.calls), q.most)
	for _, c := range batch {
		close(c.done)
	}
	return next
}

// gatherFor bounds how long a call waits for company. A commit takes several times as long.
const gatherFor = 100 * time.Microsecond

// gather lets senders that were just answered queue their next call: without it those of one batch miss the
// next, and half of the syncs are wasted. A sender that is alone does not wait.
func (q *Queue[Tx]) gather() {
	if q.expect < 2 {
		return
	}
	for begun := time.Now(); len(q.calls)+1 < q.expect && time.Since(begun) < gatherFor; {
		runtime.Gosched()
	}
}

// collect takes what is queued behind a call, up to one that has to run alone.
func (q *Queue[Tx]) collect(first *Call[Tx]) (batch []*Call[Tx], next *Call[Tx]) {
	batch = []*Call[Tx]{first}
	for size := first.Size; !first.Alone && len(batch) < q.most && size < MaxBytes; {
		select {
		case c := <-q.calls:
			if c.Alone {
				return batch, c
			}
			batch = append(batch, c)
			size += c.Size
		default:
			return batch, nil
		}
	}
	return batch, nil
}

// commit runs a batch in one transaction. If that fails because of one of its calls, each gets a transaction
// of its own, so that one bad call does not fail the others.
func (q *Queue[Tx]) commit(batch []*Call[Tx]) {
	err := q.engine.Commit(batch)
	switch {
	case err == nil:
	case len(batch) == 1:
		batch[0].err = err
	case q.engine.Whole(err):
		for _, c := range batch {
			if c.err == nil {
				c.err = err
			}
		}
	default:
		for _, c := range batch {
			c.err = nil
			if err := q.engine.Commit([]*Call[Tx]{c}); err != nil {
				c.err = err
			}
		}
	}
}

// Context is that of a batch: a call that runs alone ends with its caller, others share their transaction and do not.
func Context[Tx any](batch []*Call[Tx]) context.Context {
	if batch[0].Alone {
		return batch[0].Ctx
	}
	return context.Background()
}
