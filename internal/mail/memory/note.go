package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"brenner/internal/mail"
)

// Notes implements mail.Notes.
func (s *Store) Notes(ctx context.Context, q mail.NoteQuery) ([]mail.Note, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var list []mail.Note
	for at, n := range s.notes {
		if at.project == q.Project && n.Kind == q.Kind && n.Key > q.After && !n.Expired(q.At) &&
			(q.Keys == nil || slices.Contains(q.Keys, n.Key)) {
			n.Data = bytes.Clone(n.Data)
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b mail.Note) int { return cmp.Compare(a.Key, b.Key) })
	if q.Limit > 0 && len(list) > q.Limit {
		list = list[:q.Limit]
	}
	return list, nil
}

// PutNote implements mail.Notes.
func (s *Store) PutNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (mail.Note, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return mail.Note{}, err
	}
	defer unlock()
	at := noteKey{project, note.Kind, note.Key}
	have := s.notes[at]
	if note.Version != have.Version && (note.Version != 0 || !have.Expired(now)) {
		return mail.Note{}, mail.ErrNoteChanged
	}
	note.Version = have.Next(now)
	if !note.Expires.IsZero() {
		note.Expires = mail.Truncate(note.Expires)
	}
	kept := note
	kept.Data = bytes.Clone(note.Data)
	if s.notes[at] = kept; kept.Expired(now) {
		delete(s.notes, at)
	}
	return note, nil
}

// archivedNotes returns the notes that an archive carries, by project, kind and key.
func (s *Store) archivedNotes() []mail.Record {
	var list []mail.Record
	for at, n := range s.notes {
		if n.Kind.Archived() {
			n.Data = bytes.Clone(n.Data)
			list = append(list, mail.Record{Note: &mail.NoteRow{Project: at.project, Note: n}})
		}
	}
	slices.SortFunc(list, func(a, b mail.Record) int {
		return cmp.Or(cmp.Compare(a.Note.Project, b.Note.Project), cmp.Compare(a.Note.Kind, b.Note.Kind),
			cmp.Compare(a.Note.Key, b.Note.Key))
	})
	return list
}
