package sqlite

import (
	"context"
	"database/sql"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// EnsureProject implements mail.Directory.
func (s *Store) EnsureProject(ctx context.Context, humanKey string, at time.Time) (mail.Project, error) {
	var found []mail.Project
	err := s.read(ctx, "finding the project", func(r reader) (err error) {
		found, err = r.projects(ctx, "WHERE human_key = ?", humanKey)
		return err
	})
	if err != nil || len(found) > 0 {
		return firstOrZero(found), err
	}
	p := mail.Project{Slug: mail.Slug(humanKey), HumanKey: humanKey, CreatedAt: mail.Truncate(at)}
	err = s.writer.do(ctx, "making the project", func(tx *transaction) error {
		found, err := tx.projects(ctx, "WHERE human_key = ? OR slug = ?", humanKey, p.Slug)
		if err != nil {
			return err
		}
		for _, have := range found {
			if have.HumanKey == humanKey {
				p = have
				return nil
			}
		}
		if len(found) > 0 {
			return mail.SlugTaken(humanKey, found[0])
		}
		if err := tx.insertProject(&p); err != nil {
			return err
		}
		id, err := number(ctx, tx, "SELECT id FROM projects WHERE human_key = ?", humanKey)
		p.ID = mail.ProjectID(id)
		return err
	})
	if err != nil {
		return mail.Project{}, err
	}
	return p, nil
}

func firstOrZero[T any](list []T) (v T) {
	if len(list) > 0 {
		v = list[0]
	}
	return v
}

// insertProject writes a project; an id of 0 is given by the database.
func (tx *transaction) insertProject(p *mail.Project) error {
	var id any
	if p.ID != 0 {
		id = int64(p.ID)
	}
	return tx.exec("INSERT INTO projects (id, slug, human_key, created_us) VALUES (?,?,?,?)", id, p.Slug, p.HumanKey,
		p.CreatedAt.UnixMicro())
}

// Projects implements mail.Directory.
func (s *Store) Projects(ctx context.Context) (list []mail.Project, err error) {
	err = s.read(ctx, "reading projects", func(r reader) error {
		list, err = r.projects(ctx, "")
		return err
	})
	return list, err
}

func (r reader) projects(ctx context.Context, condition string, args ...any) ([]mail.Project, error) {
	return collect(ctx, r.db, func(rows *sql.Rows) (p mail.Project, err error) {
		var created int64
		err = rows.Scan(&p.ID, &p.Slug, &p.HumanKey, &created)
		p.CreatedAt = instant(created)
		return p, err
	}, "SELECT id, slug, human_key, created_us FROM projects "+condition+" ORDER BY id", args...)
}

// Agents implements mail.Reader.
func (s *Store) Agents(ctx context.Context, project mail.ProjectID, names ...string) (list []mail.Agent, err error) {
	err = s.read(ctx, "reading agents", func(r reader) error {
		list, err = r.Agents(ctx, project, names...)
		return err
	})
	return list, err
}

func (r reader) Agents(ctx context.Context, project mail.ProjectID, names ...string) ([]mail.Agent, error) {
	var w where
	w.add("project_id = ?", project)
	if len(names) > 0 {
		keys := make([]string, len(names))
		for i, name := range names {
			keys[i] = mail.NameKey(name)
		}
		w.in("name_key", keys)
	}
	list, err := r.agentsWhere(ctx, w.String()+" ORDER BY id", w.args...)
	if err == nil && len(list) == 0 {
		err = r.checkProject(ctx, project)
	}
	return list, err
}

func (r reader) agentsWhere(ctx context.Context, condition string, args ...any) ([]mail.Agent, error) {
	return collect(ctx, r.db, func(rows *sql.Rows) (mail.Agent, error) {
		var (
			a                 mail.Agent
			inception, active int64
			retired           sql.NullInt64
			token             []byte
		)
		err := rows.Scan(&a.ID, &a.Project, &a.Name, &a.Program, &a.Model, &a.Task, &inception, &active, &retired, &token)
		a.InceptionAt, a.LastActiveAt, a.RetiredAt, a.TokenHash = instant(inception), instant(active), fromMicro(retired.Int64), hash(token)
		return a, err
	}, "SELECT id, project_id, name, program, model, task, inception_us, active_us, retired_us, token_hash FROM agents "+condition, args...)
}

// PutAgent implements mail.Directory.
func (s *Store) PutAgent(ctx context.Context, a mail.Agent) (stored mail.Agent, err error) {
	err = s.writer.do(ctx, "registering an agent", func(tx *transaction) error {
		if err := tx.checkProject(ctx, a.Project); err != nil {
			return err
		}
		if err := tx.forget(); err != nil { // what the plan knows of agents ends here
			return err
		}
		if a.ID == 0 {
			stored, err = tx.registerAgent(ctx, a)
		} else {
			stored, err = tx.updateAgent(ctx, a)
		}
		return err
	})
	if err != nil {
		return mail.Agent{}, err
	}
	return stored, nil
}

func (tx *transaction) registerAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	have, err := tx.agentsWhere(ctx, "WHERE project_id = ? AND name_key = ?", a.Project, mail.NameKey(a.Name))
	if err != nil {
		return a, err
	}
	if len(have) > 0 {
		return a, mail.NameTaken(a.Name)
	}
	last, err := number(ctx, tx, "SELECT ifnull(max(id), 0) FROM agents")
	if err != nil {
		return a, err
	}
	a.ID = mail.AgentID(last + 1)
	if err := tx.insertAgent(&a); err != nil {
		return a, err
	}
	if err := tx.forget(); err != nil { // the next id of an agent moved
		return a, err
	}
	return tx.agentByID(ctx, a.ID)
}

func (tx *transaction) updateAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	have, err := tx.agentByID(ctx, a.ID)
	if err != nil {
		return a, err
	}
	if have.Project != a.Project {
		return a, protocol.Errorf(protocol.NotFound, "there is no agent %d", a.ID)
	}
	err = tx.exec("UPDATE agents SET program = ?, model = ?, task = ?, active_us = ?, retired_us = ?, token_hash = ? WHERE id = ?",
		a.Program, a.Model, a.Task, a.LastActiveAt.UnixMicro(), nullMicro(a.RetiredAt), hashOrNull(a.TokenHash), a.ID)
	if err != nil {
		return a, err
	}
	return tx.agentByID(ctx, a.ID)
}

func (tx *transaction) agentByID(ctx context.Context, id mail.AgentID) (mail.Agent, error) {
	found, err := tx.agentsWhere(ctx, "WHERE id = ?", id)
	if err == nil && len(found) == 0 {
		err = protocol.Errorf(protocol.NotFound, "there is no agent %d", id)
	}
	return firstOrZero(found), err
}

func (tx *transaction) insertAgent(a *mail.Agent) error {
	return tx.exec(`INSERT INTO agents (id, project_id, name, name_key, program, model, task, inception_us, active_us, retired_us,
		token_hash)
		VALUES (?,?,?,?,?,?,?,?,?,?,?)`,
		a.ID, a.Project, a.Name, mail.NameKey(a.Name), a.Program, a.Model, a.Task,
		a.InceptionAt.UnixMicro(), a.LastActiveAt.UnixMicro(), nullMicro(a.RetiredAt), hashOrNull(a.TokenHash))
}
