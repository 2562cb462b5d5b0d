package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

// PutPresences implements mail.Attendance. As with kept data it waits neither for the lock of the log
// nor for the disk.
func (s *Store) PutPresences(ctx context.Context, project mail.ProjectID, list ...mail.Presence) error {
	return s.read(ctx, "noting who is there", func(r reader) error {
		if err := r.checkProject(ctx, project); err != nil {
			return err
		}
		for i := range list { // one transaction each: two processes that note the same agents cannot lock each other out
			batch := &pgx.Batch{}
			batch.Queue("BEGIN")
			batch.Queue("SET LOCAL synchronous_commit = off")
			queuePresence(batch, project, &list[i])
			batch.Queue("COMMIT")
			if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

func queuePresence(batch *pgx.Batch, project mail.ProjectID, p *mail.Presence) {
	var code *int64
	if p.ExitCode != nil {
		n := int64(*p.ExitCode)
		code = &n
	}
	key := mail.NameKey(p.Agent)
	batch.Queue(`INSERT INTO presences (agent_id, source, host, pid, project_id, seen_us, started_us, called_us, call_ended_us,
			waiting_us, ended_us, exit_code, pane, call, thread, due_us, left_us)
		SELECT id, $1::text, $2::text, $3::bigint, project_id, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::bigint, $9::bigint,
		$10::bigint,
			$11::text, $12::text, $13::text, $14::bigint, $15::bigint FROM agents WHERE project_id = $16 AND name_key = $17
		ON CONFLICT (agent_id, source, host, pid) DO UPDATE SET seen_us = excluded.seen_us, started_us = excluded.started_us,
			called_us = excluded.called_us, call_ended_us = excluded.call_ended_us, waiting_us = excluded.waiting_us,
			ended_us = excluded.ended_us, exit_code = excluded.exit_code, pane = excluded.pane, call = excluded.call,
			thread = excluded.thread, due_us = excluded.due_us, left_us = excluded.left_us
			WHERE excluded.seen_us >= presences.seen_us`,
		string(p.Source), p.Host, int64(p.PID), p.Seen().UnixMicro(), microOrNull(p.ProcessStarted), microOrNull(p.LastCall),
		microOrNull(p.CallEnded),
		microOrNull(p.WaitingUntil), microOrNull(p.EndedAt), code, p.Pane, p.Call, p.Thread, microOrNull(p.Due), microOrNull(p.LeftAt),
		int64(project), key)
	batch.Queue(`WITH own AS (SELECT id FROM agents WHERE project_id = $1 AND name_key = $2)
		DELETE FROM presences WHERE agent_id = (SELECT id FROM own) AND seen_us < (SELECT seen_us FROM presences
			WHERE agent_id = (SELECT id FROM own) ORDER BY seen_us DESC LIMIT 1 OFFSET $3)`, int64(project), key, mail.KeptPresences-1)
}

// Presences implements mail.Attendance.
func (s *Store) Presences(ctx context.Context, project mail.ProjectID, agents ...string) (list []mail.Presence, err error) {
	var w where
	w.add("p.project_id = ?", int64(project))
	if len(agents) > 0 {
		keys := make([]string, len(agents))
		for i, name := range agents {
			keys[i] = mail.NameKey(name)
		}
		w.add("a.name_key = ANY (?)", keys)
	}
	err = s.read(ctx, "reading who is there", func(r reader) (err error) {
		list, err = collect(ctx, r.db, scanPresence, `SELECT p.project_id, a.name, p.source, p.host, p.pid, p.started_us, p.called_us,
				p.call_ended_us, p.waiting_us, p.ended_us, p.exit_code, p.pane, p.call, p.thread, p.due_us, p.left_us
			FROM presences p JOIN agents a ON a.id = p.agent_id`+w.String()+
			" ORDER BY p.agent_id, p.seen_us DESC, p.source, p.host, p.pid", w.args...)
		list, err = orNoProject(ctx, r, project, list, err)
		return err
	})
	return list, err
}

func scanPresence(rows pgx.Rows) (mail.Presence, error) {
	var (
		p                                                           mail.Presence
		project, pid                                                int64
		source                                                      string
		started, called, callEnded, waiting, ended, code, due, left *int64
	)
	err := rows.Scan(&project, &p.Agent, &source, &p.Host, &pid, &started, &called, &callEnded, &waiting, &ended, &code, &p.Pane, &p.Call,
		&p.Thread, &due, &left)
	p.Project, p.Source, p.PID = mail.ProjectID(project), mail.Source(source), int(pid)
	p.ProcessStarted, p.LastCall, p.CallEnded = instantOrZero(started), instantOrZero(called), instantOrZero(callEnded)
	p.WaitingUntil, p.EndedAt, p.Due, p.LeftAt = instantOrZero(waiting), instantOrZero(ended), instantOrZero(due), instantOrZero(left)
	if code != nil {
		n := int(*code)
		p.ExitCode = &n
	}
	return p, err
}
