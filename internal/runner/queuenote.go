package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// queueNotes hold the queue of a project: a note for each session, under its thread.
const queueNotes mail.NoteKind = "run-queue"

// queueEntry is such a note.
type queueEntry struct {
	Queued
	Place int `json:"place"` // in the queue

	note   mail.Note
	unkept bool // it has changed since it was kept
}

// LoadQueue returns the queue of a project as it was last kept, by any machine.
func LoadQueue(ctx context.Context, m *mail.Service) ([]Queued, error) {
	entries, err := loadQueue(ctx, m)
	list := make([]Queued, len(entries))
	for i, e := range entries {
		list[i] = e.Queued
	}
	return list, err
}

func loadQueue(ctx context.Context, m *mail.Service) ([]*queueEntry, error) {
	notes, err := m.Store().Notes(ctx, mail.NoteQuery{Project: m.Project().ID, Kind: queueNotes, At: m.Now()})
	if err != nil {
		return nil, err
	}
	entries := make([]*queueEntry, len(notes))
	for i, n := range notes {
		if entries[i], err = entryOf(n); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(entries, func(a, b *queueEntry) int { return cmp.Compare(a.Place, b.Place) })
	return entries, nil
}

func entryOf(n mail.Note) (*queueEntry, error) {
	e := &queueEntry{note: n}
	if err := json.Unmarshal(n.Data, e); err != nil {
		return nil, protocol.Errorf(protocol.Internal, "the place of %s in the queue cannot be read: %w", n.Key, err)
	}
	return e, nil
}

// look returns what is kept of a session now.
func (q *Queue) look(ctx context.Context, thread string) (*queueEntry, error) {
	n, err := q.Mail.Note(ctx, q.Mail.Now(), queueNotes, thread)
	if err != nil {
		return nil, err
	}
	return entryOf(n)
}

// add puts a session at the end of the queue, unless another machine has done so meanwhile.
func (q *Queue) add(ctx context.Context, thread string) (*queueEntry, error) {
	e := &queueEntry{Queued: Queued{ThreadID: thread, State: Waits}}
	if n := len(q.entries); n > 0 {
		e.Place = q.entries[n-1].Place + 1
	}
	return q.put(ctx, e, func(n *mail.Note) bool { return len(n.Data) == 0 })
}

// keep writes an entry.
func (q *Queue) keep(ctx context.Context, e *queueEntry) error {
	_, err := q.put(ctx, e, func(*mail.Note) bool { return true })
	return err
}

// put writes an entry over what is kept, if that may be overwritten, and returns what is kept then.
func (q *Queue) put(ctx context.Context, e *queueEntry, may func(kept *mail.Note) bool) (*queueEntry, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "the place of %s in the queue cannot be written: %w", e.ThreadID, err)
	}
	n, err := q.Mail.ChangeNote(ctx, q.Mail.Now(), queueNotes, e.ThreadID, func(n *mail.Note) error {
		if may(n) {
			n.Data = data
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return entryOf(n)
}

// forget removes entries, but for those that another machine has changed meanwhile.
func (q *Queue) forget(ctx context.Context, list []*queueEntry) error {
	now := q.Mail.Now()
	for _, e := range list {
		e.note.Expires = now
		if _, err := q.Mail.Store().PutNote(ctx, q.Mail.Project().ID, now, e.note); err != nil && !errors.Is(err, mail.ErrNoteChanged) {
			return err
		}
	}
	return nil
}

// EditQueued changes with what a session of the queue is played, if it is in the queue.
func EditQueued(ctx context.Context, m *mail.Service, thread string, k Kept) error {
	q := &Queue{Mail: m}
	e, err := q.look(ctx, thread)
	if err != nil || e.ThreadID == "" {
		return nil //nolint:nilerr // it is not in the queue
	}
	e.Options = &k
	return q.keep(ctx, e)
}
