package live

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// Threads holds the folds of a project's threads, and beside each what was worked out from it, a B. Safe for concurrent use.
type Threads[F Fold[F], B any] struct {
	store   mail.Store
	project mail.ProjectID
	kind    Kind[F]
	budget  int // bytes

	mu     sync.Mutex // guards what follows; held for moments only
	folds  map[string]*list.Element
	order  list.List // of *resident[F, B], most recently used first
	weight int
}

// resident is the fold of one thread.
type resident[F Fold[F], B any] struct {
	id       string
	snapshot atomic.Pointer[F] // nil: nothing was folded yet

	mu      sync.Mutex // held while the fold is advanced
	fold    F          // loaded: what the next messages are added to
	loaded  bool
	kept    int   // messages in the kept form
	windows int64 // the message up to which this process kept the windows
	keeping bool  // the kept form is being written

	weight int // as counted in Threads

	beside struct { // what was worked out from the snapshot
		sync.Mutex
		is B
	}
}

// Budget is how many bytes of folds a process keeps in memory.
const Budget = 256 << 20

// New holds the folds of a project. budget bounds their weight; the one in use stays whatever its weight.
func New[F Fold[F], B any](store mail.Store, project mail.ProjectID, kind Kind[F], budget int) *Threads[F, B] {
	return &Threads[F, B]{store: store, project: project, kind: kind, budget: budget, folds: map[string]*list.Element{}}
}

// Snapshot returns the fold of all messages of a thread, to be read. NOT_FOUND: it has none; THREAD_ARCHIVED. It keeps the
// fold in the store when enough has happened since it was last kept.
func (t *Threads[F, B]) Snapshot(ctx context.Context, threadID string) (F, error) {
	var none F
	if threadID == "" { // would be every message
		return none, mail.NoThread(threadID)
	}
	found, err := t.store.Threads(ctx, mail.ThreadQuery{Project: t.project, IDs: []string{threadID}})
	if err != nil {
		return none, err
	}
	if len(found) == 0 {
		return none, mail.NoThread(threadID)
	}
	return t.Read(ctx, found[0])
}

// Read is Snapshot as of a summary of the thread, or of later messages.
func (t *Threads[F, B]) Read(ctx context.Context, thread mail.Thread) (F, error) {
	f, err := t.At(ctx, thread)
	if err == nil {
		t.keepIfDue(ctx, thread.ID)
	}
	return f, err
}

// At returns the fold of a thread as of its summary, or with later messages as well, to be read. It writes nothing.
func (t *Threads[F, B]) At(ctx context.Context, thread mail.Thread) (F, error) {
	count(ctx, thread.ID)
	return t.at(ctx, thread)
}

// Latest is At for those who follow the log, whatever a request took before: a message that is being judged meets the thread as it
// is at that moment, and so does what is owed.
func (t *Threads[F, B]) Latest(ctx context.Context, thread mail.Thread) (F, error) {
	return t.at(ctx, thread)
}

func (t *Threads[F, B]) at(ctx context.Context, thread mail.Thread) (F, error) {
	if err := thread.CheckPresent(); err != nil {
		t.Drop(thread.ID)
		var none F
		return none, err
	}
	r := t.resident(thread.ID)
	if f := r.snapshot.Load(); f != nil && (*f).Position() == (fold.Position{Message: thread.HeadID, Chain: thread.ChainHash}) {
		return *f, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.snapshot.Load(); f != nil && (*f).Position() == (fold.Position{Message: thread.HeadID, Chain: thread.ChainHash}) {
		return *f, nil // another caller advanced it meanwhile
	}
	var none F
	if err := t.advance(ctx, r); err != nil {
		return none, err
	}
	if r.fold.Position() == (fold.Position{}) {
		return none, mail.NoThread(thread.ID)
	}
	t.weigh(r)
	return *r.snapshot.Load(), nil
}

// advance folds what the thread has beyond the fold, and takes a snapshot.
func (t *Threads[F, B]) advance(ctx context.Context, r *resident[F, B]) error {
	if !r.loaded {
		kept, err := t.load(ctx, r.id)
		if err != nil {
			return err
		}
		r.fold, r.kept, r.loaded = kept, kept.Len(), true
	}
	err := t.catchUp(ctx, t.store, r.id, r.fold)
	if errors.Is(err, errReplaced) {
		r.fold, r.kept, r.windows = t.kind.New(r.id), 0, 0
		err = t.catchUp(ctx, t.store, r.id, r.fold)
	}
	if err != nil {
		return err // what was folded stays: it is a prefix of the thread
	}
	snapshot := r.fold.Fork()
	r.snapshot.Store(&snapshot)
	return nil
}

// Through returns a fork of a snapshot with everything that a reader has of its thread, such as a
// transaction that is about to write. The fold in memory does not learn of it: what is written may be
// rolled back.
func (t *Threads[F, B]) Through(ctx context.Context, r mail.Reader, threadID string, snapshot F) (F, error) {
	f := snapshot.Fork()
	err := t.catchUp(ctx, r, threadID, f)
	if errors.Is(err, errReplaced) {
		f = t.kind.New(threadID)
		err = t.catchUp(ctx, r, threadID, f)
	}
	return f, err
}

// Adopt takes a fold in that Through made and that went further since: its messages are in the log now, and
// need not be folded again. The caller no longer folds it.
func (t *Threads[F, B]) Adopt(threadID string, f F) {
	r := t.resident(threadID)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded && r.fold.Position().Message >= f.Position().Message {
		return
	}
	r.fold, r.loaded = f.Fork(), true // if nothing was loaded, nothing is known to be kept
	r.snapshot.Store(&f)
	t.weigh(r)
}

// Offer hands a message that was just accepted to the fold of its thread, so that it is not read from the log again.
// take folds it, or returns false if it is not the next one. Nothing happens where the fold is not in
// memory or is being folded: then the log is read.
func (t *Threads[F, B]) Offer(threadID string, take func(F) bool) {
	t.mu.Lock()
	e := t.folds[threadID]
	t.mu.Unlock()
	if e == nil {
		return
	}
	r := e.Value.(*resident[F, B])
	if !r.mu.TryLock() {
		return
	}
	defer r.mu.Unlock()
	if !r.loaded || !take(r.fold) {
		return
	}
	snapshot := r.fold.Fork()
	r.snapshot.Store(&snapshot)
	t.weigh(r)
}

// Beside returns what is kept beside the fold of a thread, as long as that stays in memory. renew makes it from what is there, the zero
// value at first, or leaves it.
func (t *Threads[F, B]) Beside(threadID string, renew func(old B) B) B {
	r := t.resident(threadID)
	r.beside.Lock()
	defer r.beside.Unlock()
	r.beside.is = renew(r.beside.is)
	return r.beside.is
}

// Drop forgets the fold of a thread that left the log.
func (t *Threads[F, B]) Drop(threadID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.folds[threadID]; e != nil {
		t.weight -= t.order.Remove(e).(*resident[F, B]).weight
		delete(t.folds, threadID)
	}
}

// resident finds the place of a thread, making it if need be.
func (t *Threads[F, B]) resident(threadID string) *resident[F, B] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.folds[threadID]; e != nil {
		t.order.MoveToFront(e)
		return e.Value.(*resident[F, B])
	}
	r := &resident[F, B]{id: threadID}
	t.folds[threadID] = t.order.PushFront(r)
	return r
}

// weigh counts a fold that has grown, and drops those that were used least recently while all of them
// weigh too much. Their kept form, and the log, can bring them back.
func (t *Threads[F, B]) weigh(r *resident[F, B]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.folds[r.id]; e == nil || e.Value != r {
		return // it was dropped while it was in use
	}
	t.weight += r.fold.Weight() - r.weight
	r.weight = r.fold.Weight()
	for last := t.order.Back(); t.weight > t.budget && last != t.order.Front(); last = t.order.Back() {
		dropped := t.order.Remove(last).(*resident[F, B])
		delete(t.folds, dropped.id)
		t.weight -= dropped.weight
	}
}
