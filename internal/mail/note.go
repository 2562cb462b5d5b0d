package mail

import (
	"context"
	"errors"
	"time"

	"brenner/internal/protocol"
)

// NoteKind names a family of notes, such as the visits of browsers.
type NoteKind string

// The kinds of notes that are to outlive a store. All others belong to its servers.
const (
	TokenNotes NoteKind = "token" // bearer tokens, by their hashes
	AuditNotes NoteKind = "audit" // what operators did
)

// Archived tells whether an archive carries the notes of a kind.
func (k NoteKind) Archived() bool {
	return k == TokenNotes || k == AuditNotes || k == CheckpointNotes || k == CarriedNotes
}

// Note is something small that the servers of a store tell each other, and their later selves: who is
// signed in, what became of a request, who has the turn to do what must be done once. Notes are durable, and no
// part of the log: no event tells of them.
type Note struct {
	Kind    NoteKind
	Key     string    // not empty
	Version int64     // of what is stored; it grows with every change, also over removals
	Expires time.Time // from then on it is as if it were not there; zero: never
	Data    []byte
}

// NoteQuery selects notes of a project in the order of their keys.
type NoteQuery struct {
	Project ProjectID
	Kind    NoteKind
	At      time.Time // expired by then are left out
	Keys    []string  // these; unknown ones are left out. nil: every key
	After   string    // keys behind this one
	Limit   int       // 0: all
}

// Notes is the role that keeps notes.
type Notes interface {
	// Notes returns notes that have not expired.
	Notes(ctx context.Context, q NoteQuery) ([]Note, error)

	// PutNote writes a note, durably, in the place of the one with its Version; a Version of 0 says that
	// there is none, or that it has expired by now. ErrNoteChanged (CONFLICT): something else is there. One that
	// has expired by now is removed. The result has its new Version.
	PutNote(ctx context.Context, project ProjectID, now time.Time, note Note) (Note, error)
}

// ErrNoteChanged says that another process wrote the note.
var ErrNoteChanged = protocol.Errorf(protocol.Conflict, "another process changed the note meanwhile")

// Expired tells whether a note is over.
func (n *Note) Expired(now time.Time) bool { return !n.Expires.IsZero() && !n.Expires.After(now) }

// Next is the version after this one. The time is in it: one that was removed and made again has
// another.
func (n *Note) Next(now time.Time) int64 { return max(n.Version+1, now.UnixMicro()) }

// Note returns one note. NOT_FOUND: it is not there, or has expired.
func (s *Service) Note(ctx context.Context, now time.Time, kind NoteKind, key string) (Note, error) {
	found, err := s.store.Notes(ctx, NoteQuery{Project: s.project.ID, Kind: kind, At: now, Keys: []string{key}})
	if err == nil && len(found) == 0 {
		err = protocol.Errorf(protocol.NotFound, "there is no note %s of %s", key, kind)
	}
	if err != nil {
		return Note{}, err
	}
	return found[0], nil
}

// ChangeNote has edit change a note, and tries again with what is there while others change it at the
// same time. edit gets an empty note if there is none; its error is returned as it is, and nothing is written.
func (s *Service) ChangeNote(ctx context.Context, now time.Time, kind NoteKind, key string, edit func(*Note) error) (Note, error) {
	for {
		note, err := s.Note(ctx, now, kind, key)
		if protocol.CodeOf(err) == protocol.NotFound {
			note, err = Note{Kind: kind, Key: key}, nil
		}
		if err == nil {
			err = edit(&note)
		}
		if err != nil {
			return Note{}, err
		}
		note, err = s.store.PutNote(ctx, s.project.ID, now, note)
		if !errors.Is(err, ErrNoteChanged) {
			return note, err
		}
	}
}
