package commitqueue

import (
	"context"
	"errors"
	"sync"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/protocol"
)

// Call is one piece of work for the goroutine that writes.
type Call[Tx any] struct {
	Ctx context.Context

	// Run works in a transaction that it shares with other calls. If it fails it must not have written
	// anything, or fail with a Fault. It may run more than once, unless it runs alone.
	Run   func(ctx context.Context, tx Tx) error
	Alone bool // it takes long, or can run once only: in a transaction of its own

	// What an append writes, so that a batch can ask for its facts at once. Others leave it empty.
	Project mail.ProjectID
	Entries []planner.Prepared
	Size    int // bytes of their text

	err  error
	done chan struct{}
	mu   sync.Mutex // held while Run runs
}

// NewAppend makes a call that appends entries.
func NewAppend[Tx any](ctx context.Context, project mail.ProjectID, entries []planner.Prepared,
	run func(ctx context.Context, tx Tx) error) *Call[Tx] {
	c := &Call[Tx]{Ctx: ctx, Run: run, Project: project, Entries: entries}
	for i := range entries {
		c.Size += len(entries[i].Message.Subject) + len(entries[i].Message.Body)
	}
	return c
}

// leave returns the context's error once Run no longer runs nor will: it may use what belongs to the caller.
func (c *Call[Tx]) leave() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Ctx.Err()
}

// RunIn runs the call and keeps its error, unless the caller has gone. A fault is returned instead: the transaction
// cannot go on. A panic of the caller's function fails the call and does not end the program.
func (c *Call[Tx]) RunIn(ctx context.Context, tx Tx) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err = c.Ctx.Err(); c.err != nil {
		return nil
	}
	err := c.guarded(ctx, tx)
	if IsFault(err) {
		return err
	}
	c.err = err
	return nil
}

func (c *Call[Tx]) guarded(ctx context.Context, tx Tx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Fault(protocol.Errorf(protocol.Internal, "writing to the store: panic: %v", r))
		}
	}()
	return c.Run(ctx, tx)
}

// Fault marks an error after which the transaction cannot go on: it is rolled back, and its calls are tried one by one.
func Fault(err error) error { return fault{err} }

type fault struct{ error }

func (f fault) Unwrap() error { return f.error }

// IsFault tells whether a transaction cannot go on after an error.
func IsFault(err error) bool {
	_, ok := errors.AsType[fault](err)
	return ok
}

// Cause is the error that was marked, or the error itself.
func Cause(err error) error {
	if f, ok := errors.AsType[fault](err); ok {
		return Cause(f.error)
	}
	return err
}

// Wants is what the appends of a project want to know.
type Wants struct {
	Project mail.ProjectID
	planner.Wants
}

// WantsOf collects what the calls of a batch want to know beyond what a plan knows.
func WantsOf[Tx any](plan *planner.Plan, batch []*Call[Tx]) []Wants {
	var all []Wants
	places := map[mail.ProjectID]int{}
	for _, c := range batch {
		if len(c.Entries) == 0 {
			continue
		}
		w := plan.Wants(c.Project, c.Entries)
		if w.Empty() {
			continue
		}
		i, ok := places[c.Project]
		if !ok {
			i, places[c.Project] = len(all), len(all)
			all = append(all, Wants{Project: c.Project})
		}
		all[i].Add(w)
	}
	for i := range all {
		all[i].Compact()
	}
	return all
}
