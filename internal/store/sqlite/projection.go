package sqlite

import (
	"context"
	"database/sql"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

// Projection implements mail.Projections.
func (s *Store) Projection(ctx context.Context, project mail.ProjectID, kind mail.ProjectionKind,
	key string) (p mail.Projection, err error) {
	err = s.read(ctx, "reading kept data", func(r reader) error {
		found, err := collect(ctx, r.db, func(rows *sql.Rows) (p mail.Projection, err error) {
			return p, rows.Scan(&p.Kind, &p.Key, &p.Through, &p.Data)
		}, "SELECT kind, key, through, data FROM projections WHERE project_id = ? AND kind = ? AND key = ?", project, string(kind), key)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return protocol.Errorf(protocol.NotFound, "there is no %s of %s", kind, key)
		}
		p = found[0]
		return nil
	})
	return p, err
}

// PutProjection implements mail.Projections.
func (s *Store) PutProjection(ctx context.Context, project mail.ProjectID, p mail.Projection) error {
	data := p.Data
	if data == nil {
		data = []byte{}
	}
	return s.writer.do(ctx, "keeping data", func(tx *transaction) error {
		if err := tx.checkProject(ctx, project); err != nil {
			return err
		}
		return tx.exec(`INSERT INTO projections (project_id, kind, key, through, data) VALUES (?,?,?,?,?)
			ON CONFLICT DO UPDATE SET through = excluded.through, data = excluded.data WHERE excluded.through >= through`,
			project, string(p.Kind), p.Key, p.Through, data)
	})
}

// Rebuild implements mail.Projections.
func (s *Store) Rebuild(ctx context.Context) error {
	err := s.writer.do(ctx, "rebuilding the store", func(tx *transaction) error {
		if err := tx.exec("DELETE FROM projections WHERE through = 0 OR EXISTS (SELECT 1 FROM messages WHERE id = through)"); err != nil {
			return err
		}
		return tx.summarize()
	})
	if err != nil {
		return err
	}
	return s.index.rebuild(ctx)
}

// withoutLoss deletes the summaries of threads but of those that knew more than the log has: they are all that is left of what
// was lost (PROTOCOL 14).
const withoutLoss = `DELETE FROM threads WHERE (project_id, thread_id) NOT IN (
	SELECT t.project_id, t.thread_id FROM threads t LEFT JOIN (
		SELECT project_id, thread_id, count(*) n, max(id) head, max(version) latest FROM (
			SELECT project_id, thread_id, id, version FROM messages UNION ALL SELECT project_id, thread_id, id, version
			FROM archived_messages) m
		GROUP BY project_id, thread_id) l ON l.project_id = t.project_id AND l.thread_id = t.thread_id
	WHERE coalesce(l.n, 0) < t.messages OR coalesce(l.head, 0) < t.head_id OR coalesce(l.latest, 0) < t.latest_version)`

// summarize makes the summaries of all threads again from their messages.
func (tx *transaction) summarize() error {
	if err := tx.flush(); err != nil {
		return err
	}
	if err := tx.exec(withoutLoss); err != nil {
		return err
	}
	err :=
		tx.exec(`INSERT OR IGNORE INTO threads (project_id, thread_id, messages, first_id, head_id, latest_version, first_type,
			chain_hash, created_us, updated_us)
		SELECT t.project_id, t.thread_id, t.n, t.first_id, t.head_id, t.latest, f.type, h.chain_hash, f.created_us, h.created_us
			FROM (SELECT project_id, thread_id, count(*) n, min(id) first_id, max(id) head_id, max(version) latest
				FROM messages WHERE thread_id <> '' GROUP BY project_id, thread_id) t
			JOIN messages f ON f.id = t.first_id JOIN messages h ON h.id = t.head_id`)
	if err == nil {
		err = tx.summarizeArchived()
	}
	if err != nil {
		return err
	}
	return tx.forget()
}

// Status implements mail.Store.
func (s *Store) Status(ctx context.Context) (mail.Status, error) {
	status := mail.Status{Engine: "sqlite", Location: s.path, Schema: len(migrations()), Shared: true, Atomic: true}
	err := s.writer.do(ctx, "checking the store", func(tx *transaction) error {
		if err := tx.exec("UPDATE meta SET value = value + 1 WHERE key = 'probe'"); err != nil {
			return err
		}
		status.Messages = tx.plan.LastID()
		if err := tx.row("SELECT ifnull(max(seq), 0) FROM events").Scan(&status.Cursor); err != nil {
			return commitqueue.Fault(err)
		}
		return nil
	})
	if err != nil {
		return status, err
	}
	if status.Indexed, err = s.index.watermark(ctx); err != nil {
		status.Indexed = 0 // an index that cannot be read holds nothing
	}
	return status, ctx.Err()
}
