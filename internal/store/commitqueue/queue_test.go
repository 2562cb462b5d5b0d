package commitqueue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// list is the transaction of a small engine: what is committed are texts.
type list struct{ texts []string }

type call = commitqueue.Call[*list]

// engine keeps texts in memory. A transaction with the text "poison" cannot be committed, and none can while it is down.
type engine struct {
	queue *commitqueue.Queue[*list]

	mu        sync.Mutex
	batches   []int // calls of each transaction that was tried
	committed []string
	down      error
}

func newEngine(t *testing.T, most int) *engine {
	e := &engine{}
	e.queue = commitqueue.New(e, most)
	go e.queue.Serve()
	t.Cleanup(e.queue.Stop)
	return e
}

func (e *engine) Commit(batch []*call) error {
	e.mu.Lock()
	e.batches = append(e.batches, len(batch))
	down := e.down
	e.mu.Unlock()
	if down != nil {
		return down
	}
	tx := &list{}
	for _, c := range batch {
		if err := c.RunIn(commitqueue.Context(batch), tx); err != nil {
			return err
		}
	}
	if slices.Contains(tx.texts, "poison") {
		return errors.New("poisoned")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.committed = append(e.committed, tx.texts...)
	return nil
}

func (e *engine) Whole(err error) bool { return errors.Is(err, errDown) }

var errDown = errors.New("the engine is down")

func (e *engine) write(ctx context.Context, text string) error {
	return e.queue.Do(&call{Ctx: ctx, Size: len(text), Run: func(_ context.Context, tx *list) error {
		tx.texts = append(tx.texts, text)
		return nil
	}})
}

// held keeps the goroutine that writes busy until release is called, so that calls queue up behind it.
func (e *engine) held(t *testing.T) (release func()) {
	t.Helper()
	started, gate, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.queue.Do(&call{Ctx: context.Background(), Run: func(context.Context, *list) error {
			close(started)
			<-gate
			return nil
		}})
	}()
	<-started
	return func() {
		close(gate)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// queued starts calls and waits until all of them are in the queue.
func (e *engine) queued(t *testing.T, calls ...*call) (outcomes func() []error) {
	t.Helper()
	errs := make([]error, len(calls))
	var wg sync.WaitGroup
	for i, c := range calls {
		before := commitqueue.Waiting(e.queue)
		wg.Go(func() { errs[i] = e.queue.Do(c) })
		for commitqueue.Waiting(e.queue) == before {
			time.Sleep(time.Millisecond)
		}
	}
	return func() []error { wg.Wait(); return errs }
}

func text(ctx context.Context, s string) *call {
	return &call{Ctx: ctx, Size: len(s), Run: func(_ context.Context, tx *list) error {
		tx.texts = append(tx.texts, s)
		return nil
	}}
}

// TestBatches: calls that wait share a transaction, up to their number and their size; one that runs alone shares with none.
func TestBatches(t *testing.T) {
	ctx := t.Context()
	alone := text(ctx, "alone")
	alone.Alone = true
	large := func() *call { c := text(ctx, "large"); c.Size = commitqueue.MaxBytes; return c }
	for _, c := range []struct {
		name  string
		calls []*call
		want  []int
	}{
		{"together", []*call{text(ctx, "a"), text(ctx, "b"), text(ctx, "c")}, []int{1, 3}},
		{"at most four", []*call{text(ctx, "a"), text(ctx, "b"), text(ctx, "c"), text(ctx, "d"), text(ctx, "e")}, []int{1, 4, 1}},
		{"alone", []*call{text(ctx, "a"), alone, text(ctx, "b"), text(ctx, "c")}, []int{1, 1, 1, 2}},
		{"by size", []*call{large(), text(ctx, "a"), text(ctx, "b"), large(), text(ctx, "c")}, []int{1, 1, 3, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEngine(t, 4)
			release := e.held(t)
			outcomes := e.queued(t, c.calls...)
			release()
			for _, err := range outcomes() {
				if err != nil {
					t.Error(err)
				}
			}
			if !slices.Equal(e.batches, c.want) || len(e.committed) != len(c.calls) {
				t.Errorf("batches %v of %d texts, want %v", e.batches, len(e.committed), c.want)
			}
		})
	}
}

// TestNeighbours: a call that fails, panics or spoils its transaction fails alone.
func TestNeighbours(t *testing.T) {
	ctx := t.Context()
	own := errors.New("my own")
	fails := &call{Ctx: ctx, Run: func(context.Context, *list) error { return own }}
	faults := &call{Ctx: ctx, Run: func(context.Context, *list) error { return commitqueue.Fault(own) }}
	panics := &call{Ctx: ctx, Run: func(context.Context, *list) error { panic("my own") }}
	for _, bad := range []*call{fails, faults, panics, text(ctx, "poison")} {
		e := newEngine(t, 8)
		release := e.held(t)
		outcomes := e.queued(t, text(ctx, "before"), bad, text(ctx, "behind"))
		release()
		errs := outcomes()
		if errs[0] != nil || errs[1] == nil || errs[2] != nil {
			t.Errorf("outcomes %v", errs)
		}
		if bad == panics && protocol.CodeOf(errs[1]) != protocol.Internal {
			t.Errorf("a panic is %v", errs[1])
		}
		if (bad == fails || bad == faults) && !errors.Is(errs[1], own) {
			t.Errorf("the caller's error is %v", errs[1])
		}
		if got := fmt.Sprint(e.committed); got != "[before behind]" {
			t.Errorf("committed %s", got)
		}
	}
}

// TestWhole: if the store cannot be used, the calls of a batch are not tried one by one.
func TestWhole(t *testing.T) {
	e := newEngine(t, 8)
	release := e.held(t)
	outcomes := e.queued(t, text(t.Context(), "a"), text(t.Context(), "b"))
	e.mu.Lock()
	e.down = errDown
	e.mu.Unlock()
	release()
	for _, err := range outcomes() {
		if !errors.Is(err, errDown) {
			t.Errorf("got %v", err)
		}
	}
	if !slices.Equal(e.batches, []int{1, 2}) {
		t.Errorf("batches %v", e.batches)
	}
}

// TestLeaving: a caller whose context ends leaves the queue, and its function is not run behind its back.
func TestLeaving(t *testing.T) {
	e := newEngine(t, 8)
	release := e.held(t)
	ctx, cancel := context.WithCancel(t.Context())
	outcomes := e.queued(t, text(ctx, "left"), text(t.Context(), "stayed"))
	cancel()
	release()
	errs := outcomes()
	if !errors.Is(errs[0], context.Canceled) || errs[1] != nil {
		t.Errorf("outcomes %v", errs)
	}
	if got := fmt.Sprint(e.committed); got != "[stayed]" {
		t.Errorf("committed %s", got)
	}
	if err := e.write(ctx, "late"); !errors.Is(err, context.Canceled) {
		t.Errorf("a call of a caller who has gone: %v", err)
	}
}

// TestStop: what is queued is finished; what comes later finds the store closed.
func TestStop(t *testing.T) {
	e := newEngine(t, 8)
	release := e.held(t)
	outcomes := e.queued(t, text(t.Context(), "a"), text(t.Context(), "b"))
	stopped := make(chan struct{})
	go func() { e.queue.Stop(); close(stopped) }()
	release()
	for _, err := range outcomes() {
		if err != nil {
			t.Error(err)
		}
	}
	<-stopped
	if err := e.write(t.Context(), "late"); protocol.CodeOf(err) != protocol.StoreUnavailable {
		t.Errorf("after the end: %v", err)
	}
	if got := fmt.Sprint(e.committed); got != "[a b]" {
		t.Errorf("committed %s", got)
	}
}
