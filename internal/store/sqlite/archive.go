package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

// Dump implements mail.Archiver.
func (s *Store) Dump(ctx context.Context, emit func(mail.Record) error) error {
	return s.read(ctx, "copying the store", func(r reader) error {
		// One transaction on one connection sees one moment.
		tx, err := r.db.(pool).files.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // it only reads
		return reader{snapshot{tx}, s}.dump(ctx, emit)
	})
}

// snapshot runs queries inside a reading transaction.
type snapshot struct{ tx *sql.Tx }

func (s snapshot) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.tx.QueryContext(ctx, query, args...)
}

func (r reader) dump(ctx context.Context, emit func(mail.Record) error) error {
	projects, err := r.projects(ctx, "")
	if err != nil {
		return err
	}
	for i := range projects {
		if err := emit(mail.Record{Project: &projects[i]}); err != nil {
			return err
		}
	}
	agents, err := r.agentsWhere(ctx, "ORDER BY id")
	if err != nil {
		return err
	}
	names := make(map[mail.AgentID]string, len(agents))
	for i := range agents {
		names[agents[i].ID] = agents[i].Name
		if err := emit(mail.Record{Agent: &agents[i]}); err != nil {
			return err
		}
	}
	if err := r.dumpMessages(ctx, names, hot, emit); err != nil {
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
	if err := r.dumpMessages(ctx, names, cold, emit); err != nil {
		return err
	}
	leaves, err := r.leaves(ctx, "ORDER BY project_id, n")
	if err != nil {
		return err
	}
	for i := range leaves {
		if err := emit(mail.Record{Leaf: &leaves[i]}); err != nil {
			return err
		}
	}
	return r.dumpRest(ctx, emit)
}

const dumpPage = 500

// shelf is a pair of tables that hold messages and their deliveries, with the records they make.
type shelf struct {
	messages, deliveries string
	message              func(*mail.Message) mail.Record
	delivery             func(*mail.DeliveryRow) mail.Record
}

var (
	hot = shelf{
		"messages", "deliveries", func(m *mail.Message) mail.Record { return mail.Record{Message: m} },
		func(d *mail.DeliveryRow) mail.Record { return mail.Record{Delivery: d} },
	}
	cold = shelf{
		"archived_messages", "archived_deliveries", func(m *mail.Message) mail.Record { return mail.Record{ArchivedMessage: m} },
		func(d *mail.DeliveryRow) mail.Record { return mail.Record{ArchivedDelivery: d} },
	}
)

// dumpMessages goes page by page: each message, then its deliveries in the order of its
// recipients.
func (r reader) dumpMessages(ctx context.Context, names map[mail.AgentID]string, from shelf, emit func(mail.Record) error) error {
	ids := make(map[[2]any]mail.AgentID, len(names))
	agents, err := r.agentsWhere(ctx, "")
	if err != nil {
		return err
	}
	for _, a := range agents {
		ids[[2]any{a.Project, mail.NameKey(a.Name)}] = a.ID
	}
	for after := int64(0); ; {
		page, err := r.messagesIn(ctx, from.messages, "WHERE m.id > ? ORDER BY m.id"+limited, after, dumpPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			m := &page[i]
			after = m.ID
			if err := emit(from.message(m)); err != nil {
				return err
			}
			for _, d := range mail.Deliveries(&m.Message) {
				rows, err := collect(ctx, r.db, scanDeliveryRow, fmt.Sprintf(deliveryRowQuery, from.deliveries),
					ids[[2]any{m.Project, mail.NameKey(d.Agent)}], m.ID)
				if err != nil {
					return err
				}
				for i := range rows {
					rows[i].Agent = names[rows[i].AgentID]
					if err := emit(from.delivery(&rows[i])); err != nil {
						return err
					}
				}
			}
		}
	}
}

const deliveryRowQuery = `SELECT message_id, agent_id, project_id, kind, delivered_us, read_us, ack_us, owed, urgent
	FROM %s WHERE agent_id = ? AND done IN (0, 1) AND message_id = ?`

func scanDeliveryRow(rows *sql.Rows) (d mail.DeliveryRow, err error) {
	var delivered, read, ack sql.NullInt64
	err = rows.Scan(&d.Message, &d.AgentID, &d.Project, &d.Kind, &delivered, &read, &ack, &d.Owed, &d.Urgent)
	d.DeliveredAt, d.ReadAt, d.AckAt = fromMicro(delivered.Int64), fromMicro(read.Int64), fromMicro(ack.Int64)
	return d, err
}

func (r reader) dumpRest(ctx context.Context, emit func(mail.Record) error) error {
	for after := mail.Cursor(0); ; {
		page, err := collect(ctx, r.db, scanEvent, eventQuery+" WHERE e.seq > ? ORDER BY e.seq"+limited, int64(after), dumpPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for i := range page {
			after = page[i].Seq
			if err := emit(mail.Record{Event: &page[i]}); err != nil {
				return err
			}
		}
	}
	leases, err := collect(ctx, r.db, scanReservation, reservationQuery+"ORDER BY id")
	for i := range leases {
		if err := emit(mail.Record{Reservation: &leases[i]}); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	notes, err := collect(ctx, r.db, scanNoteRow, "SELECT project_id, kind, key, version, expires_us, data FROM notes WHERE kind IN (?, "+
		"?, ?) ORDER BY project_id, kind, key",
		string(mail.AuditNotes), string(mail.TokenNotes), string(mail.CheckpointNotes))
	for i := range notes {
		if err := emit(mail.Record{Note: &notes[i]}); err != nil {
			return err
		}
	}
	return err
}

func scanNoteRow(rows *sql.Rows) (n mail.NoteRow, err error) {
	var expires sql.NullInt64
	err = rows.Scan(&n.Project, &n.Kind, &n.Key, &n.Version, &expires, &n.Data)
	n.Expires = fromMicro(expires.Int64)
	return n, err
}

// Load implements mail.Archiver.
func (s *Store) Load(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	return s.fill(ctx, records, func(tx *transaction) error {
		n, err := number(ctx, tx, "SELECT count(*) FROM projects")
		if err == nil && n > 0 {
			err = mail.NotEmpty()
		}
		return err
	})
}

// Replace implements mail.Archiver.
func (s *Store) Replace(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	return s.fill(ctx, records, (*transaction).clear)
}

// clear drops everything but what describes the file itself.
func (tx *transaction) clear() error {
	for _, table := range []string{"projects", "agents", "messages", "threads", "deliveries", "events", "reservations", "projections",
		"presences", "notes",
		"archives", "archived_messages", "archived_deliveries", "journal"} {
		if err := tx.exec("DELETE FROM " + table); err != nil {
			return err
		}
	}
	return nil
}

// fill loads records into a store that prepare has made ready.
func (s *Store) fill(ctx context.Context, records iter.Seq2[mail.Record, error], prepare func(tx *transaction) error) error {
	err := s.writer.doAlone(ctx, "loading the store", func(tx *transaction) error {
		if err := tx.forget(); err != nil {
			return err
		}
		if err := prepare(tx); err != nil {
			return err
		}
		return tx.load(ctx, records)
	})
	if err != nil {
		return err
	}
	return s.index.rebuild(ctx)
}

// load writes records. Any error after the first is a fault: nothing may stay.
func (tx *transaction) load(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	l := loader{tx: tx, agents: map[agentKey]mail.AgentID{}}
	for r, err := range records {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = l.record(r)
		}
		if err != nil {
			return commitqueue.Fault(err)
		}
	}
	if !l.journal {
		if err := tx.backfill(ctx, tx.insertLeaves); err != nil {
			return commitqueue.Fault(err)
		}
	}
	if err := tx.exec("UPDATE meta SET value = abs(random()) WHERE key = 'identity'"); err != nil {
		return err
	}
	return tx.summarize()
}

type agentKey struct {
	project mail.ProjectID
	key     string
}

// loader writes the records of an archive.
type loader struct {
	tx      *transaction
	agents  map[agentKey]mail.AgentID
	last    mail.Message // deliveries follow their message
	journal bool         // a leaf came
}

func (l *loader) record(r mail.Record) error {
	switch {
	case r.Project != nil:
		return l.tx.insertProject(r.Project)
	case r.Agent != nil:
		l.agents[agentKey{r.Agent.Project, mail.NameKey(r.Agent.Name)}] = r.Agent.ID
		return l.tx.insertAgent(r.Agent)
	case r.Message != nil:
		l.last = *r.Message
		return l.tx.insertMessages([]mail.Message{l.last})
	case r.Delivery != nil:
		types := map[int64]protocol.MessageType{l.last.ID: l.last.Type}
		return l.tx.insertDeliveries([]mail.DeliveryRow{*r.Delivery}, types)
	case r.Archived != nil:
		return l.tx.insertArchived(r.Archived)
	case r.ArchivedMessage != nil:
		l.last = *r.ArchivedMessage
		return l.tx.writeMessages(archivedMessageTable, []mail.Message{l.last})
	case r.ArchivedDelivery != nil:
		types := map[int64]protocol.MessageType{l.last.ID: l.last.Type}
		return l.tx.writeDeliveries(archivedDeliveryTable, []mail.DeliveryRow{*r.ArchivedDelivery}, types)
	case r.Leaf != nil:
		l.journal = true
		return l.tx.insertLeaves([]mail.LeafRow{*r.Leaf})
	case r.Event != nil && r.Event.Kind == mail.EventDelivery:
		return l.tx.insertDeliveryEvent(int64(r.Event.Seq), r.Event, l.agents[agentKey{r.Event.Project, mail.NameKey(r.Event.Agent)}])
	case r.Event != nil:
		return l.tx.insertEvents([]mail.Event{*r.Event})
	case r.Reservation != nil:
		return l.tx.putReservation(r.Reservation)
	case r.Note != nil:
		return l.tx.writeNote(r.Note.Project, &r.Note.Note)
	}
	return protocol.Errorf(protocol.InvalidInput, "an archive record is empty")
}
