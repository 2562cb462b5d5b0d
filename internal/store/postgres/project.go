package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

// EnsureProject implements mail.Directory.
func (s *Store) EnsureProject(ctx context.Context, humanKey string, at time.Time) (mail.Project, error) {
	var found []mail.Project
	err := s.read(ctx, "finding the project", func(r reader) (err error) {
		found, err = r.projectsWhere(ctx, "WHERE human_key = $1", humanKey)
		return err
	})
	if err != nil {
		return mail.Project{}, err
	}
	if len(found) > 0 {
		return found[0], nil
	}
	var p mail.Project
	err = s.writer.do(ctx, "making the project", func(ctx context.Context, tx *transaction) (err error) {
		p, err = tx.ensureProject(ctx, humanKey, at)
		return err
	})
	if err != nil {
		return mail.Project{}, err
	}
	return p, nil
}

// ensureProject looks again behind the lock.
func (tx *transaction) ensureProject(ctx context.Context, humanKey string, at time.Time) (mail.Project, error) {
	p := mail.Project{Slug: mail.Slug(humanKey), HumanKey: humanKey, CreatedAt: mail.Truncate(at)}
	found, err := tx.projectsWhere(ctx, "WHERE human_key = $1 OR slug = $2", humanKey, p.Slug)
	if err != nil {
		return p, err
	}
	for _, have := range found {
		if have.HumanKey == humanKey {
			return have, nil
		}
	}
	if len(found) > 0 {
		return p, mail.SlugTaken(humanKey, found[0])
	}
	last, err := number(ctx, tx, "SELECT max(id) FROM projects")
	if err != nil {
		return p, err
	}
	p.ID = mail.ProjectID(last + 1)
	tx.insertProject(&p)
	return p, nil
}

func (tx *transaction) insertProject(p *mail.Project) {
	tx.queue("INSERT INTO projects (id, slug, human_key, created_us) VALUES ($1, $2, $3, $4)",
		int64(p.ID), p.Slug, p.HumanKey, p.CreatedAt.UnixMicro())
}

// Projects implements mail.Directory.
func (s *Store) Projects(ctx context.Context) (list []mail.Project, err error) {
	err = s.read(ctx, "reading projects", func(r reader) (err error) {
		list, err = r.projectsWhere(ctx, "")
		return err
	})
	return list, err
}

func (r reader) projectsWhere(ctx context.Context, condition string, args ...any) ([]mail.Project, error) {
	return collect(ctx, r.db, func(rows pgx.Rows) (mail.Project, error) {
		var (
			p           mail.Project
			id, created int64
		)
		err := rows.Scan(&id, &p.Slug, &p.HumanKey, &created)
		p.ID, p.CreatedAt = mail.ProjectID(id), instant(created)
		return p, err
	}, "SELECT id, slug, human_key, created_us FROM projects "+condition+" ORDER BY id", args...)
}
