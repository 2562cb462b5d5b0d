package postgres

import (
	"context"
	"crypto/rand"
	"sync"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail/planner"
	"brenner/internal/store/commitqueue"
)

// writer runs the calls of the queue, many in one transaction. It belongs to the goroutine of the queue.
type writer struct {
	store *Store
	queue *commitqueue.Queue[*transaction]
	token []byte // tells this writer from others
	ended sync.Once

	conn *pgx.Conn     // nil: none
	plan *planner.Plan // what is known of the data; nil: nothing
	head head          // after the last commit; the plan holds as long as no other process moved it

	caution int // how many more transactions ask before they write
}

type call = commitqueue.Call[*transaction]

func newWriter(s *Store) *writer {
	w := &writer{store: s, token: make([]byte, 16)}
	rand.Read(w.token) // it never fails
	w.queue = commitqueue.New(w, s.options.MaxBatch)
	return w
}

// stop lets calls that are queued finish, then closes the connection.
func (w *writer) stop() {
	w.queue.Stop()
	w.ended.Do(w.hangUp)
}

// do runs a function in a transaction and waits for its commit. If the function fails it must not
// have queued anything, or fail with a fault; see transaction. Its context never ends early.
func (w *writer) do(ctx context.Context, doing string, run func(ctx context.Context, tx *transaction) error) error {
	return w.submit(doing, &call{Ctx: ctx, Run: run})
}

// doAlone is do for work that takes long: it ends with its caller's context.
func (w *writer) doAlone(ctx context.Context, doing string, run func(ctx context.Context, tx *transaction) error) error {
	return w.submit(doing, &call{Ctx: ctx, Run: run, Alone: true})
}

func (w *writer) submit(doing string, c *call) error {
	return w.store.failure(c.Ctx, doing, w.queue.Do(c))
}
