package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

const eventQuery = "SELECT seq, project_id, message_id, version, at_us, state, kind, thread_id, agent FROM events"

func scanEvent(rows pgx.Rows) (mail.Event, error) {
	var (
		e                         mail.Event
		seq, project, version, at int64
		state                     int16
		kind                      string
	)
	err := rows.Scan(&seq, &project, &e.Message, &version, &at, &state, &kind, &e.Thread, &e.Agent)
	e.Seq, e.Project, e.Version, e.At = mail.Cursor(seq), mail.ProjectID(project), int(version), instant(at)
	e.State, e.Kind = mail.State(state), mail.EventKind(kind)
	return e, err
}

// Events implements mail.Feed.
func (s *Store) Events(ctx context.Context, q mail.EventQuery) (list []mail.Event, err error) {
	err = s.read(ctx, "reading events", func(r reader) (err error) {
		list, err = collect(ctx, r.db, scanEvent, eventQuery+" WHERE project_id = $1 AND seq > $2 ORDER BY seq"+limit(q.Limit),
			int64(q.Project), int64(q.After))
		list, err = orNoProject(ctx, r, q.Project, list, err)
		return err
	})
	return list, err
}

// insertEvents numbers events and writes them.
func (tx *transaction) insertEvents(list []mail.Event) {
	for i := range list {
		tx.head.lastEvent++
		list[i].Seq = tx.head.lastEvent
		tx.news[list[i].Project] = list[i].Seq
	}
	tx.writeEvents(list)
}

func (tx *transaction) writeEvents(list []mail.Event) {
	for len(list) > 0 {
		n := min(len(list), chunkRows)
		tx.writeEventChunk(list[:n])
		list = list[n:]
	}
}

func (tx *transaction) writeEventChunk(list []mail.Event) {
	tx.queue(`INSERT INTO events (seq, project_id, message_id, version, at_us, state, kind, thread_id, agent)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::smallint[], $7::text[],
		$8::text[], $9::text[])`,
		column(list, func(e *mail.Event) int64 { return int64(e.Seq) }),
		column(list, func(e *mail.Event) int64 { return int64(e.Project) }),
		column(list, func(e *mail.Event) int64 { return e.Message }),
		column(list, func(e *mail.Event) int64 { return int64(e.Version) }),
		column(list, func(e *mail.Event) int64 { return e.At.UnixMicro() }),
		column(list, func(e *mail.Event) int16 { return int16(e.State) }),
		column(list, func(e *mail.Event) string { return string(e.Kind) }),
		column(list, func(e *mail.Event) string { return e.Thread }),
		column(list, func(e *mail.Event) string { return e.Agent }))
}

// Wait implements mail.Feed.
func (s *Store) Wait(ctx context.Context, project mail.ProjectID, after mail.Cursor) error {
	if err := s.read(ctx, "waiting for events", func(r reader) error { return r.checkProject(ctx, project) }); err != nil {
		return err
	}
	return s.failure(ctx, "waiting for events", s.notify.wait(ctx, project, after))
}
