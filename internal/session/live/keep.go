package live

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// A fold is kept in the store when it has grown by keepEvery messages, and when the process ends if it has
// grown by keepAtEnd: folding a few messages again costs less than writing all of it.
const (
	keepEvery = 256
	keepAtEnd = 16
)

// Close keeps the folds that have grown.
func (t *Threads[F, B]) Close(ctx context.Context) {
	t.mu.Lock()
	ids := make([]string, 0, len(t.folds))
	for id := range t.folds {
		ids = append(ids, id)
	}
	t.mu.Unlock()
	for _, id := range ids {
		t.keep(ctx, id, keepAtEnd)
	}
}

// keepIfDue keeps the fold of a thread that has grown enough.
func (t *Threads[F, B]) keepIfDue(ctx context.Context, threadID string) {
	t.keep(ctx, threadID, keepEvery)
}

// keep writes the fold of a thread if the kept form lacks so many messages. It only saves work: a failure
// is no failure of the caller.
func (t *Threads[F, B]) keep(ctx context.Context, threadID string, least int) {
	t.mu.Lock()
	e := t.folds[threadID]
	t.mu.Unlock()
	if e == nil {
		return
	}
	r := e.Value.(*resident[F, B])
	r.mu.Lock()
	snapshot := r.snapshot.Load()
	due := snapshot != nil && (*snapshot).Len()-r.kept >= least && !r.keeping
	r.keeping = r.keeping || due
	windows := r.windows
	r.mu.Unlock()
	if !due {
		return
	}
	err := t.write(ctx, threadID, *snapshot, windows) // no caller waits for it
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keeping = false; err == nil {
		r.kept, r.windows = (*snapshot).Len(), (*snapshot).Position().Message
	}
}

// write keeps the windows of a fold after a message, then the fold, which names them.
func (t *Threads[F, B]) write(ctx context.Context, threadID string, f F, after int64) error {
	for _, w := range f.Fresh() {
		if w.Last <= after {
			continue
		}
		if err := t.KeepWindow(ctx, w); err != nil {
			return err
		}
	}
	data, err := f.Save()
	if err != nil {
		return err
	}
	return mail.Keep(ctx, t.store, t.project, mail.Projection{
		Kind: t.kind.Name, Key: threadID, Through: f.Position().Message, Data: data,
	})
}

// KeepWindow keeps a window.
func (t *Threads[F, B]) KeepWindow(ctx context.Context, w fold.Window) error {
	return mail.Keep(ctx, t.store, t.project, mail.Projection{Kind: t.kind.Window, Key: fold.FormatID(w.Last), Through: w.Last,
		Data: w.Data})
}

// load reads the kept fold of a thread. One that is missing, damaged or of another form is made again
// from the log.
func (t *Threads[F, B]) load(ctx context.Context, threadID string) (F, error) {
	p, err := mail.Kept(ctx, t.store, t.project, t.kind.Name, threadID)
	switch code := protocol.CodeOf(err); {
	case err == nil:
		if f, err := t.kind.Load(p.Data); err == nil && f.Position().Message == p.Through {
			return f, nil
		}
	case code != protocol.NotFound && code != protocol.KeptMismatch:
		var none F
		return none, err
	}
	return t.kind.New(threadID), nil
}
