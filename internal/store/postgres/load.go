package postgres

import (
	"context"
	"iter"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

// Load implements mail.Archiver.
func (s *Store) Load(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	return s.fill(ctx, records, func(ctx context.Context, tx *transaction) error {
		n, err := number(ctx, tx, "SELECT count(*) FROM projects")
		if err == nil && n > 0 {
			err = mail.NotEmpty()
		}
		return err
	})
}

// Replace implements mail.Archiver.
func (s *Store) Replace(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	defer s.known.forget()
	return s.fill(ctx, records, func(_ context.Context, tx *transaction) error {
		for _, table := range []string{"projects", "agents", "messages", "threads", "deliveries", "events", "reservations", "projections",
			"presences", "notes",
			"archives", "archived_messages", "archived_deliveries", "journal"} {
			tx.queue("DELETE FROM " + table)
		}
		tx.head = head{generation: tx.head.generation, writer: tx.head.writer}
		return nil
	})
}

// fill loads records into a store that prepare has made ready.
func (s *Store) fill(ctx context.Context, records iter.Seq2[mail.Record, error], prepare func(context.Context, *transaction) error) error {
	err := s.writer.doAlone(ctx, "loading the store", func(ctx context.Context, tx *transaction) error {
		if err := prepare(ctx, tx); err != nil {
			return err
		}
		if err := (&loading{tx: tx}).run(ctx, records); err != nil {
			return commitqueue.Fault(err) // nothing of it may stay
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.failure(ctx, "indexing the store", s.index.rebuild(ctx))
}

// loading gathers records until they are worth a statement.
type loading struct {
	tx         *transaction
	agents     []mail.Agent
	messages   []mail.Message
	deliveries []placed
	archived   shelved
	events     []mail.Event
	leaves     []mail.LeafRow
	journal    bool // a leaf came
	rows, size int

	kind  string // of the last message, whose deliveries follow it
	place int64  // of the next of them
}

// shelved are messages that go to the archived ones.
type shelved struct {
	messages   []mail.Message
	deliveries []placed
}

func (l *loading) run(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	for r, err := range records {
		if err != nil {
			return verbatim{err}
		}
		if err := l.add(r); err != nil {
			return err
		}
		if l.rows >= chunkRows || l.size >= chunkBytes {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	if err := l.flush(ctx); err != nil {
		return err
	}
	if !l.journal {
		err := l.tx.backfill(ctx, func(rows []mail.LeafRow) error {
			l.tx.insertLeaves(rows)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return l.tx.summarize(ctx)
}

func (l *loading) add(r mail.Record) error {
	head := &l.tx.head
	l.rows++
	switch {
	case r.Project != nil:
		l.tx.insertProject(r.Project)
	case r.Agent != nil:
		l.agents = append(l.agents, *r.Agent)
		head.lastAgent = max(head.lastAgent, r.Agent.ID)
	case r.Message != nil:
		l.addMessage(&l.messages, r.Message)
	case r.Delivery != nil:
		l.addDelivery(&l.deliveries, r.Delivery)
	case r.Archived != nil:
		l.tx.insertArchived(r.Archived)
	case r.ArchivedMessage != nil:
		l.addMessage(&l.archived.messages, r.ArchivedMessage)
	case r.ArchivedDelivery != nil:
		l.addDelivery(&l.archived.deliveries, r.ArchivedDelivery)
	case r.Leaf != nil:
		l.journal = true
		l.leaves = append(l.leaves, *r.Leaf)
	case r.Event != nil:
		l.events = append(l.events, *r.Event)
		head.lastEvent = max(head.lastEvent, r.Event.Seq)
		l.tx.news[r.Event.Project] = max(l.tx.news[r.Event.Project], r.Event.Seq)
	case r.Reservation != nil:
		l.tx.putReservation(r.Reservation)
		head.lastLease = max(head.lastLease, r.Reservation.ID)
	case r.Note != nil:
		n := r.Note
		l.tx.queue("INSERT INTO notes (project_id, kind, key, version, expires_us, data) VALUES ($1, $2, $3, $4, $5, $6)",
			int64(n.Project), string(n.Kind), n.Key, n.Version, microOrNull(n.Expires), append([]byte{}, n.Data...))
	default:
		return protocol.Errorf(protocol.InvalidInput, "an archive record is empty")
	}
	return nil
}

func (l *loading) addMessage(to *[]mail.Message, m *mail.Message) {
	head := &l.tx.head
	*to = append(*to, *m)
	l.size += len(m.Body)
	l.kind, l.place = string(m.Type), 0
	head.lastMessage = max(head.lastMessage, m.ID)
	if !m.Imported && m.CreatedAt.After(head.lastTime) {
		head.lastTime = m.CreatedAt
	}
}

func (l *loading) addDelivery(to *[]placed, d *mail.DeliveryRow) {
	*to = append(*to, placed{*d, l.place, l.kind})
	l.place++
}

// flush sends what was gathered.
func (l *loading) flush(ctx context.Context) error {
	l.tx.insertAgents(l.agents)
	if len(l.messages) > 0 {
		l.tx.insertMessages(hot.messages, l.messages)
		l.tx.written = l.messages[:1]
	}
	l.tx.insertDeliveries(hot.deliveries, l.deliveries)
	if len(l.archived.messages) > 0 {
		l.tx.insertMessages(cold.messages, l.archived.messages)
	}
	l.tx.insertDeliveries(cold.deliveries, l.archived.deliveries)
	l.tx.writeEvents(l.events)
	l.tx.insertLeaves(l.leaves)
	*l = loading{tx: l.tx, kind: l.kind, place: l.place, journal: l.journal}
	return l.tx.exchange(ctx)
}
