package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Agents implements mail.Reader.
func (s *Store) Agents(ctx context.Context, project mail.ProjectID, names ...string) (list []mail.Agent, err error) {
	err = s.read(ctx, "reading agents", func(r reader) (err error) {
		list, err = r.Agents(ctx, project, names...)
		return err
	})
	return list, err
}

func (r reader) Agents(ctx context.Context, project mail.ProjectID, names ...string) ([]mail.Agent, error) {
	var w where
	w.add("project_id = ?", int64(project))
	if len(names) > 0 {
		keys := make([]string, len(names))
		for i, name := range names {
			keys[i] = mail.NameKey(name)
		}
		w.add("name_key = ANY (?)", keys)
	}
	list, err := r.agentsWhere(ctx, w.String()+" ORDER BY id", w.args...)
	return orNoProject(ctx, r, project, list, err)
}

const agentQuery = "SELECT id, project_id, name, program, model, task, inception_us, active_us, retired_us, token_hash FROM agents"

func (r reader) agentsWhere(ctx context.Context, condition string, args ...any) ([]mail.Agent, error) {
	return collect(ctx, r.db, scanAgent, agentQuery+condition, args...)
}

func scanAgent(rows pgx.Rows) (mail.Agent, error) {
	var (
		a                              mail.Agent
		id, project, inception, active int64
		retired                        *int64
		token                          []byte
	)
	err := rows.Scan(&id, &project, &a.Name, &a.Program, &a.Model, &a.Task, &inception, &active, &retired, &token)
	a.ID, a.Project, a.TokenHash = mail.AgentID(id), mail.ProjectID(project), hash(token)
	a.InceptionAt, a.LastActiveAt, a.RetiredAt = instant(inception), instant(active), instantOrZero(retired)
	return a, err
}

// PutAgent implements mail.Directory.
func (s *Store) PutAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	var stored mail.Agent
	a.InceptionAt, a.LastActiveAt, a.RetiredAt = mail.Truncate(a.InceptionAt), mail.Truncate(a.LastActiveAt), mail.Truncate(a.RetiredAt)
	err := s.writer.do(ctx, "registering an agent", func(ctx context.Context, tx *transaction) (err error) {
		if err := tx.checkProject(ctx, a.Project); err != nil {
			return err
		}
		if err := tx.flush(ctx); err != nil { // an import may have registered the name
			return err
		}
		if a.ID == 0 {
			stored, err = tx.registerAgent(ctx, a)
		} else {
			stored, err = tx.updateAgent(ctx, a)
		}
		tx.forget() // what the plan knows of agents
		return err
	})
	if err != nil {
		return mail.Agent{}, err
	}
	return stored, nil
}

func (tx *transaction) registerAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	have, err := tx.agentsWhere(ctx, " WHERE project_id = $1 AND name_key = $2", int64(a.Project), mail.NameKey(a.Name))
	if err != nil {
		return a, err
	}
	if len(have) > 0 {
		return a, mail.NameTaken(a.Name)
	}
	tx.head.lastAgent++
	a.ID = tx.head.lastAgent
	tx.insertAgents([]mail.Agent{a})
	return a, nil
}

func (tx *transaction) updateAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	have, err := tx.agentsWhere(ctx, " WHERE id = $1 AND project_id = $2", int64(a.ID), int64(a.Project))
	if err != nil {
		return a, err
	}
	if len(have) == 0 {
		return a, protocol.Errorf(protocol.NotFound, "there is no agent %d", a.ID)
	}
	a.Name, a.InceptionAt = have[0].Name, have[0].InceptionAt
	tx.queue(`UPDATE agents SET program = $2, model = $3, task = $4, active_us = $5, retired_us = $6, token_hash = $7 WHERE id = $1`,
		int64(a.ID), a.Program, a.Model, a.Task, a.LastActiveAt.UnixMicro(), microOrNull(a.RetiredAt), hashOrNull(a.TokenHash))
	return a, nil
}

func (tx *transaction) insertAgents(list []mail.Agent) {
	if len(list) == 0 {
		return
	}
	tx.queue(`INSERT INTO agents (id, project_id, name, name_key, program, model, task, inception_us, active_us, retired_us, token_hash)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
			$8::bigint[], $9::bigint[], $10::bigint[], $11::bytea[])`,
		column(list, func(a *mail.Agent) int64 { return int64(a.ID) }),
		column(list, func(a *mail.Agent) int64 { return int64(a.Project) }),
		column(list, func(a *mail.Agent) string { return a.Name }),
		column(list, func(a *mail.Agent) string { return mail.NameKey(a.Name) }),
		column(list, func(a *mail.Agent) string { return a.Program }),
		column(list, func(a *mail.Agent) string { return a.Model }),
		column(list, func(a *mail.Agent) string { return a.Task }),
		column(list, func(a *mail.Agent) int64 { return a.InceptionAt.UnixMicro() }),
		column(list, func(a *mail.Agent) int64 { return a.LastActiveAt.UnixMicro() }),
		column(list, func(a *mail.Agent) *int64 { return microOrNull(a.RetiredAt) }),
		column(list, func(a *mail.Agent) []byte { return hashOrNull(a.TokenHash) }))
}

// column turns rows into what unnest takes: one array for each column.
func column[R, T any](rows []R, value func(*R) T) []T {
	list := make([]T, len(rows))
	for i := range rows {
		list[i] = value(&rows[i])
	}
	return list
}
