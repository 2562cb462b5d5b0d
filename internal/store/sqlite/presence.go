package sqlite

import (
	"context"
	"database/sql"

	"brenner/internal/mail"
)

// PutPresences implements mail.Attendance.
func (s *Store) PutPresences(ctx context.Context, project mail.ProjectID, list ...mail.Presence) error {
	return s.writer.do(ctx, "noting who is there", func(tx *transaction) error {
		if err := tx.checkProject(ctx, project); err != nil {
			return err
		}
		for i := range list {
			if err := tx.putPresence(project, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (tx *transaction) putPresence(project mail.ProjectID, p *mail.Presence) error {
	var code any
	if p.ExitCode != nil {
		code = *p.ExitCode
	}
	key := mail.NameKey(p.Agent)
	err := tx.exec(`INSERT INTO presences (agent_id, source, host, pid, project_id, seen_us, started_us, called_us, call_ended_us,
			waiting_us, ended_us, exit_code, pane, call, thread, due_us, left_us)
		SELECT id, ?, ?, ?, project_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM agents WHERE project_id = ? AND name_key = ?
		ON CONFLICT (agent_id, source, host, pid) DO UPDATE SET seen_us = excluded.seen_us, started_us = excluded.started_us,
			called_us = excluded.called_us, call_ended_us = excluded.call_ended_us, waiting_us = excluded.waiting_us,
			ended_us = excluded.ended_us, exit_code = excluded.exit_code, pane = excluded.pane, call = excluded.call,
			thread = excluded.thread, due_us = excluded.due_us, left_us = excluded.left_us
			WHERE excluded.seen_us >= presences.seen_us`,
		string(p.Source), p.Host, p.PID, p.Seen().UnixMicro(), nullMicro(p.ProcessStarted), nullMicro(p.LastCall), nullMicro(p.CallEnded),
		nullMicro(p.WaitingUntil), nullMicro(p.EndedAt), code, p.Pane, p.Call, p.Thread, nullMicro(p.Due), nullMicro(p.LeftAt), project,
		key)
	if err != nil {
		return err
	}
	const own = "agent_id = (SELECT id FROM agents WHERE project_id = ? AND name_key = ?)"
	return tx.exec("DELETE FROM presences WHERE "+own+" AND seen_us < (SELECT seen_us FROM presences WHERE "+own+
		" ORDER BY seen_us DESC LIMIT 1 OFFSET ?)", project, key, project, key, mail.KeptPresences-1)
}

// Presences implements mail.Attendance.
func (s *Store) Presences(ctx context.Context, project mail.ProjectID, agents ...string) (list []mail.Presence, err error) {
	var w where
	w.add("p.project_id = ?", project)
	if len(agents) > 0 {
		keys := make([]string, len(agents))
		for i, name := range agents {
			keys[i] = mail.NameKey(name)
		}
		w.in("a.name_key", keys)
	}
	err = s.read(ctx, "reading who is there", func(r reader) error {
		list, err = collect(ctx, r.db, scanPresence, `SELECT p.project_id, a.name, p.source, p.host, p.pid, p.started_us, p.called_us,
				p.call_ended_us, p.waiting_us, p.ended_us, p.exit_code, p.pane, p.call, p.thread, p.due_us, p.left_us
			FROM presences p JOIN agents a ON a.id = p.agent_id `+w.String()+
			" ORDER BY p.agent_id, p.seen_us DESC, p.source, p.host, p.pid", w.args...)
		if err == nil && len(list) == 0 {
			err = r.checkProject(ctx, project)
		}
		return err
	})
	return list, err
}

func scanPresence(rows *sql.Rows) (p mail.Presence, err error) {
	var started, called, callEnded, waiting, ended, code, due, left sql.NullInt64
	err = rows.Scan(&p.Project, &p.Agent, &p.Source, &p.Host, &p.PID, &started, &called, &callEnded, &waiting, &ended, &code, &p.Pane,
		&p.Call,
		&p.Thread, &due, &left)
	p.ProcessStarted, p.LastCall, p.CallEnded = fromMicro(started.Int64), fromMicro(called.Int64), fromMicro(callEnded.Int64)
	p.WaitingUntil, p.EndedAt, p.Due, p.LeftAt = fromMicro(waiting.Int64), fromMicro(ended.Int64), fromMicro(due.Int64),
		fromMicro(left.Int64)
	if code.Valid {
		n := int(code.Int64)
		p.ExitCode = &n
	}
	return p, err
}
