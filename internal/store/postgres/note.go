package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

// Notes implements mail.Notes.
func (s *Store) Notes(ctx context.Context, q mail.NoteQuery) (list []mail.Note, err error) {
	var w where
	w.add("project_id = ? AND kind = ? AND key > ? AND coalesce(expires_us > ?, true)", int64(q.Project), string(q.Kind), q.After,
		q.At.UnixMicro())
	if q.Keys != nil {
		w.add("key = ANY (?)", q.Keys)
	}
	err = s.read(ctx, "reading notes", func(r reader) (err error) {
		list, err = collect(ctx, r.db, scanNote, "SELECT kind, key, version, expires_us, data FROM notes"+w.String()+" ORDER BY key"+
			limit(q.Limit), w.args...)
		list, err = orNoProject(ctx, r, q.Project, list, err)
		return err
	})
	return list, err
}

func scanNote(rows pgx.Rows) (mail.Note, error) {
	var (
		n       mail.Note
		kind    string
		expires *int64
	)
	err := rows.Scan(&kind, &n.Key, &n.Version, &expires, &n.Data)
	n.Kind, n.Expires = mail.NoteKind(kind), instantOrZero(expires)
	return n, err
}

// sweptNotes is how many expired notes each new one takes away.
const sweptNotes = 4

// PutNote implements mail.Notes. A note does not wait for the lock of the log, but for the disk. It is one
// statement: the second writer finds the version of the first.
func (s *Store) PutNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (mail.Note, error) {
	if !note.Expires.IsZero() {
		note.Expires = mail.Truncate(note.Expires)
	}
	err := s.read(ctx, "writing a note", func(r reader) error {
		if err := r.checkProject(ctx, project); err != nil {
			return err
		}
		version, err := r.putNote(ctx, project, now, note)
		if err == nil {
			note.Version = version
		}
		return err
	})
	if err != nil {
		return mail.Note{}, err
	}
	return note, nil
}

func (r reader) putNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (int64, error) {
	at := []any{int64(project), string(note.Kind), note.Key, now.UnixMicro()}
	data := note.Data
	if data == nil {
		data = []byte{}
	}
	var query string
	switch {
	case note.Expired(now) && note.Version == 0: // there is to be none, and there is to have been none
		query = `DELETE FROM notes WHERE project_id = $1 AND kind = $2 AND key = $3 AND expires_us <= $4 RETURNING version + 1`
	case note.Expired(now):
		query = `DELETE FROM notes WHERE project_id = $1 AND kind = $2 AND key = $3 AND version = $5 RETURNING greatest(version + 1, $4)`
		at = append(at, note.Version)
	case note.Version == 0:
		query = `WITH swept AS (DELETE FROM notes WHERE (project_id, kind, key) IN (SELECT project_id, kind, key FROM notes
				WHERE expires_us <= $4 AND (project_id, kind, key) <> ($1, $2, $3) ORDER BY expires_us LIMIT $7 FOR UPDATE SKIP LOCKED))
			INSERT INTO notes AS n (project_id, kind, key, version, expires_us, data) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (project_id, kind, key) DO UPDATE SET version = greatest(n.version + 1, excluded.version),
			expires_us = excluded.expires_us,
				data = excluded.data WHERE n.expires_us <= $4 RETURNING version`
		at = append(at, microOrNull(note.Expires), data, sweptNotes)
	default:
		query = `UPDATE notes SET version = greatest(version + 1, $4), expires_us = $5, data = $6
			WHERE project_id = $1 AND kind = $2 AND key = $3 AND version = $7 RETURNING version`
		at = append(at, microOrNull(note.Expires), data, note.Version)
	}
	version, err := number(ctx, r.db, query, at...)
	switch {
	case err != nil:
		return 0, err
	case version != 0:
		return version, nil
	case note.Expired(now) && note.Version == 0:
		n, err := number(ctx, r.db, "SELECT count(*) FROM notes WHERE project_id = $1 AND kind = $2 AND key = $3", at[:3]...)
		if err == nil && n > 0 {
			err = mail.ErrNoteChanged
		}
		return now.UnixMicro(), err
	}
	return 0, mail.ErrNoteChanged
}
