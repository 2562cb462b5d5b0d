package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

// What one page of a dump holds in memory.
const (
	dumpRows  = 500
	dumpBytes = 8 << 20
)

// Dump implements mail.Archiver.
func (s *Store) Dump(ctx context.Context, emit func(mail.Record) error) error {
	if s.isClosed() {
		return mail.Closed()
	}
	own := func(r mail.Record) error {
		if err := emit(r); err != nil {
			return verbatim{err}
		}
		return nil
	}
	// One transaction that sees one moment.
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return reader{plain{tx}, s}.dump(ctx, own)
	})
	return s.failure(ctx, "copying the store", err)
}

func (r reader) dump(ctx context.Context, emit func(mail.Record) error) error {
	projects, err := r.projectsWhere(ctx, "")
	if err != nil {
		return err
	}
	for i := range projects {
		if err := emit(mail.Record{Project: &projects[i]}); err != nil {
			return err
		}
	}
	agents, err := r.agentsWhere(ctx, " ORDER BY id")
	if err != nil {
		return err
	}
	for i := range agents {
		if err := emit(mail.Record{Agent: &agents[i]}); err != nil {
			return err
		}
	}
	if err := r.dumpMessages(ctx, hot, emit); err != nil {
		return err
	}
	archived, err := r.archivedWhere(ctx, "")
	if err != nil {
		return err
	}
	for i := range archived {
		if err := emit(mail.Record{Archived: &archived[i]}); err != nil {
			return err
		}
	}
	if err := r.dumpMessages(ctx, cold, emit); err != nil {
		return err
	}
	leaves, err := collect(ctx, r.db, scanLeaf, leafQuery+" ORDER BY project_id, n")
	if err != nil {
		return err
	}
	for i := range leaves {
		if err := emit(mail.Record{Leaf: &leaves[i]}); err != nil {
			return err
		}
	}
	if err := r.dumpEvents(ctx, emit); err != nil {
		return err
	}
	leases, err := collect(ctx, r.db, scanReservation, reservationQuery+" ORDER BY id")
	if err != nil {
		return err
	}
	for i := range leases {
		if err := emit(mail.Record{Reservation: &leases[i]}); err != nil {
			return err
		}
	}
	notes, err := collect(ctx, r.db, scanNoteRow, "SELECT project_id, kind, key, version, expires_us, data FROM notes WHERE kind IN ($1, "+
		"$2, $3) ORDER BY project_id, kind, key",
		string(mail.AuditNotes), string(mail.TokenNotes), string(mail.CheckpointNotes))
	for i := range notes {
		if err := emit(mail.Record{Note: &notes[i]}); err != nil {
			return err
		}
	}
	return err
}

func scanNoteRow(rows pgx.Rows) (n mail.NoteRow, err error) {
	var kind string
	var project int64
	var expires *int64
	err = rows.Scan(&project, &kind, &n.Key, &n.Version, &expires, &n.Data)
	n.Project, n.Kind, n.Expires = mail.ProjectID(project), mail.NoteKind(kind), instantOrZero(expires)
	return n, err
}

// dumpMessages goes page by page: each message, then its deliveries in the order of its
// recipients.
func (r reader) dumpMessages(ctx context.Context, from shelf, emit func(mail.Record) error) error {
	for after := int64(0); ; {
		upTo, err := r.pageEnd(ctx, from.messages, after, dumpRows, dumpBytes)
		if err != nil || upTo == 0 {
			return err
		}
		messages, err := collect(ctx, r.db, scanMessage, messageQuery(from.messages)+" WHERE m.id > $1 AND m.id <= $2 ORDER BY m.id", after,
			upTo)
		if err != nil {
			return err
		}
		deliveries, err := collect(ctx, r.db, scanDeliveryRow,
			"SELECT "+deliveryColumns+`, a.name, d.agent_id, d.project_id, d.owed, d.urgent
			FROM `+from.deliveries+` d JOIN agents a ON a.id = d.agent_id WHERE d.message_id > $1 AND d.message_id <= $2 ORDER BY `+
				`d.message_id, d.place`, after, upTo)
		if err != nil {
			return err
		}
		for i := range messages {
			if err := emit(from.message(&messages[i])); err != nil {
				return err
			}
			for len(deliveries) > 0 && deliveries[0].Message == messages[i].ID {
				if err := emit(from.delivery(&deliveries[0])); err != nil {
					return err
				}
				deliveries = deliveries[1:]
			}
		}
		after = upTo
	}
}

func scanDeliveryRow(rows pgx.Rows) (mail.DeliveryRow, error) {
	var (
		row            mail.DeliveryRow
		d              deliveryRow
		agent, project int64
	)
	err := rows.Scan(append(d.targets(), &d.d.Agent, &agent, &project, &row.Owed, &row.Urgent)...)
	row.Delivery, row.AgentID, row.Project = d.delivery(), mail.AgentID(agent), mail.ProjectID(project)
	return row, err
}

func (r reader) dumpEvents(ctx context.Context, emit func(mail.Record) error) error {
	// Events are numbered over all projects, and found by project: the page is cut by number.
	last, err := number(ctx, r.db, "SELECT last_event FROM head")
	if err != nil {
		return err
	}
	for after := int64(0); after < last; after += 10 * dumpRows {
		page, err := collect(ctx, r.db, scanEvent,
			eventQuery+` WHERE project_id IN (SELECT id FROM projects) AND seq > $1 AND seq <= $2 ORDER BY seq`,
			after, after+10*dumpRows)
		if err != nil {
			return err
		}
		for i := range page {
			if err := emit(mail.Record{Event: &page[i]}); err != nil {
				return err
			}
		}
	}
	return nil
}
