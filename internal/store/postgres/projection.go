package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Projection implements mail.Projections.
func (s *Store) Projection(ctx context.Context, project mail.ProjectID, kind mail.ProjectionKind, key string) (mail.Projection, error) {
	var found []mail.Projection
	err := s.read(ctx, "reading kept data", func(r reader) (err error) {
		found, err = collect(ctx, r.db, func(rows pgx.Rows) (mail.Projection, error) {
			p := mail.Projection{Kind: kind, Key: key}
			return p, rows.Scan(&p.Through, &p.Data)
		}, "SELECT through, data FROM projections WHERE project_id = $1 AND kind = $2 AND key = $3", int64(project), string(kind), key)
		found, err = orNoProject(ctx, r, project, found, err)
		return err
	})
	if err != nil {
		return mail.Projection{}, err
	}
	if len(found) == 0 {
		return mail.Projection{}, protocol.Errorf(protocol.NotFound, "there is no %s of %s", kind, key)
	}
	return found[0], nil
}

// PutProjection implements mail.Projections. Kept data can be made again: it waits neither for
// the lock of the log nor for the disk.
func (s *Store) PutProjection(ctx context.Context, project mail.ProjectID, p mail.Projection) error {
	data := p.Data
	if data == nil {
		data = []byte{}
	}
	return s.read(ctx, "keeping data", func(r reader) error {
		if err := r.checkProject(ctx, project); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue("BEGIN")
		batch.Queue("SET LOCAL synchronous_commit = off")
		batch.Queue(`INSERT INTO projections (project_id, kind, key, through, data) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (project_id, kind, key) DO UPDATE SET through = excluded.through, data = excluded.data
				WHERE excluded.through >= projections.through`, int64(project), string(p.Kind), p.Key, p.Through, data)
		batch.Queue("COMMIT")
		return s.pool.SendBatch(ctx, batch).Close()
	})
}

// Rebuild implements mail.Projections.
func (s *Store) Rebuild(ctx context.Context) error {
	err := s.writer.doAlone(ctx, "rebuilding the store", func(ctx context.Context, tx *transaction) error {
		tx.queue("DELETE FROM projections WHERE through = 0 OR EXISTS (SELECT 1 FROM messages WHERE id = through)")
		return tx.summarize(ctx)
	})
	if err != nil {
		return err
	}
	return s.failure(ctx, "rebuilding the search index", s.index.rebuild(ctx))
}
