package sqlite

import (
	"context"
	"database/sql"
	"time"

	"brenner/internal/mail"
)

// Notes implements mail.Notes.
func (s *Store) Notes(ctx context.Context, q mail.NoteQuery) (list []mail.Note, err error) {
	err = s.read(ctx, "reading notes", func(r reader) error {
		list, err = r.notes(ctx, q)
		if err == nil && len(list) == 0 {
			err = r.checkProject(ctx, q.Project)
		}
		return err
	})
	return list, err
}

func (r reader) notes(ctx context.Context, q mail.NoteQuery) ([]mail.Note, error) {
	var w where
	w.add("project_id = ? AND kind = ? AND key > ? AND coalesce(expires_us > ?, 1)", q.Project, string(q.Kind), q.After, q.At.UnixMicro())
	if q.Keys != nil {
		w.in("key", q.Keys)
	}
	query := "SELECT kind, key, version, expires_us, data FROM notes" + w.String() + " ORDER BY key" + w.limit(q.Limit)
	return collect(ctx, r.db, scanNote, query, w.args...)
}

func scanNote(rows *sql.Rows) (n mail.Note, err error) {
	var expires sql.NullInt64
	err = rows.Scan(&n.Kind, &n.Key, &n.Version, &expires, &n.Data)
	n.Expires = fromMicro(expires.Int64)
	return n, err
}

// sweptNotes is how many expired notes each new one takes away.
const sweptNotes = 4

// PutNote implements mail.Notes.
func (s *Store) PutNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (mail.Note, error) {
	err := s.writer.do(ctx, "writing a note", func(tx *transaction) (err error) {
		if err := tx.checkProject(ctx, project); err != nil {
			return err
		}
		note, err = tx.putNote(ctx, project, now, note)
		return err
	})
	if err != nil {
		return mail.Note{}, err
	}
	return note, nil
}

func (tx *transaction) putNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (mail.Note, error) {
	// At the beginning of time nothing has expired: it is found whatever its state.
	found, err := tx.notes(ctx, mail.NoteQuery{Project: project, Kind: note.Kind, Keys: []string{note.Key}})
	if err != nil {
		return note, err
	}
	var have mail.Note
	if len(found) > 0 {
		have = found[0]
	}
	if note.Version != have.Version && (note.Version != 0 || !have.Expired(now)) {
		return note, mail.ErrNoteChanged
	}
	fresh := note.Version == 0
	note.Version = have.Next(now)
	if note.Expired(now) {
		return note, tx.exec("DELETE FROM notes WHERE project_id = ? AND kind = ? AND key = ?", project, string(note.Kind), note.Key)
	}
	if !note.Expires.IsZero() {
		note.Expires = mail.Truncate(note.Expires)
	}
	if fresh {
		err := tx.exec(`DELETE FROM notes WHERE (project_id, kind, key) IN
			(SELECT project_id, kind, key FROM notes WHERE expires_us <= ? ORDER BY expires_us LIMIT ?)`, now.UnixMicro(), sweptNotes)
		if err != nil {
			return note, err
		}
	}
	return note, tx.writeNote(project, &note)
}

// writeNote puts a note in the place of the one that is there.
func (tx *transaction) writeNote(project mail.ProjectID, note *mail.Note) error {
	data := note.Data
	if data == nil {
		data = []byte{}
	}
	return tx.exec(`INSERT INTO notes (project_id, kind, key, version, expires_us, data) VALUES (?,?,?,?,?,?)
		ON CONFLICT DO UPDATE SET version = excluded.version, expires_us = excluded.expires_us, data = excluded.data`,
		project, string(note.Kind), note.Key, note.Version, nullMicro(note.Expires), data)
}
