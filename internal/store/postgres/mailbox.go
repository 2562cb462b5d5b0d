package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

const deliveryColumns = "d.message_id, d.kind, d.delivered_us, d.read_us, d.ack_us"

// deliveryRow receives the columns of a delivery.
type deliveryRow struct {
	d                    mail.Delivery
	kind                 string
	delivered, read, ack *int64
}

func (r *deliveryRow) targets() []any {
	return []any{&r.d.Message, &r.kind, &r.delivered, &r.read, &r.ack}
}

func (r *deliveryRow) delivery() mail.Delivery {
	d := r.d
	d.Kind = mail.Kind(r.kind)
	d.DeliveredAt, d.ReadAt, d.AckAt = instantOrZero(r.delivered), instantOrZero(r.read), instantOrZero(r.ack)
	return d
}

// Deliveries implements mail.Reader.
func (s *Store) Deliveries(ctx context.Context, q mail.DeliveryQuery) (list []mail.Delivery, err error) {
	err = s.read(ctx, "reading deliveries", func(r reader) (err error) {
		list, err = r.Deliveries(ctx, q)
		return err
	})
	return list, err
}

func (r reader) Deliveries(ctx context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	var w where
	w.add("d.project_id = ?", int64(q.Project))
	if q.Messages != nil {
		w.add("d.message_id = ANY (?)", q.Messages)
	}
	if q.Thread != "" {
		w.add("d.message_id IN (SELECT m.id FROM messages m WHERE m.project_id = ? AND m.thread_id = ? AND m.thread_id <> '')",
			int64(q.Project), q.Thread)
	}
	if q.Agent != "" {
		w.add("d.agent_id = (SELECT id FROM agents WHERE project_id = ? AND name_key = ?)", int64(q.Project), mail.NameKey(q.Agent))
	}
	if q.Owed {
		w.add("d.owed")
	}
	list, err := collect(ctx, r.db, func(rows pgx.Rows) (mail.Delivery, error) {
		var d deliveryRow
		err := rows.Scan(append(d.targets(), &d.d.Agent)...)
		return d.delivery(), err
	}, "SELECT "+deliveryColumns+", a.name FROM deliveries d JOIN agents a ON a.id = d.agent_id"+w.String()+
		" ORDER BY d.message_id, d.place", w.args...)
	return orNoProject(ctx, r, q.Project, list, err)
}

// Inbox implements mail.Mailbox.
func (s *Store) Inbox(ctx context.Context, q mail.InboxQuery) (list []mail.Received, err error) {
	err = s.read(ctx, "reading an inbox", func(r reader) error {
		agent, err := r.agent(ctx, q.Project, q.Agent)
		if err != nil {
			return err
		}
		list, err = r.inbox(ctx, q, agent)
		return err
	})
	return list, err
}

func (r reader) inbox(ctx context.Context, q mail.InboxQuery, agent agentRef) ([]mail.Received, error) {
	var w where
	w.add("d.agent_id = ?", int64(agent.id))
	if q.Thread != "" {
		w.add("m.project_id = ? AND m.thread_id = ? AND m.thread_id <> ''", int64(q.Project), q.Thread)
	}
	switch {
	case len(q.Types) == 1 && q.Types[0] == protocol.TypeKickoff:
		w.add("d.type = 'KICKOFF'") // which has an index of its own
	case len(q.Types) > 0:
		w.add("d.type = ANY (?)", typeNames(q.Types))
	}
	if q.Before > 0 {
		w.add("d.message_id < ?", q.Before)
	}
	if q.After > 0 {
		w.add("d.message_id > ?", q.After)
	}
	if q.Unread || q.Fresh {
		w.add("d.read_us IS NULL")
	}
	if q.Fresh {
		w.add("d.delivered_us IS NULL")
	}
	if q.Urgent {
		w.add("d.urgent")
	}
	if q.Owed {
		w.add("d.owed")
	}
	if !q.Since.IsZero() {
		since(q, &w)
	}
	direction := " DESC"
	if q.Oldest {
		direction = ""
	}
	query := "SELECT " + deliveryColumns + ", " + messageColumns + " FROM deliveries d JOIN messages m ON m.id = d.message_id" +
		w.String() + " ORDER BY d.message_id" + direction + limit(q.Limit)
	return collect(ctx, r.db, func(rows pgx.Rows) (mail.Received, error) {
		d := deliveryRow{d: mail.Delivery{Agent: agent.name}}
		var m messageRow
		if err := rows.Scan(append(d.targets(), m.targets()...)...); err != nil {
			return mail.Received{}, err
		}
		return mail.Received{Message: m.message(), Delivery: d.delivery()}, nil
	}, query, w.args...)
}

// since restricts to messages created after a time. What was sent here has ids in the order of
// time, so one id divides it; imports have a smallest id of their own.
func since(q mail.InboxQuery, w *where) {
	us, project := q.Since.UnixMicro(), int64(q.Project)
	w.add("m.created_us > ?", us)
	w.add(`d.message_id >= least(
		(SELECT id FROM messages WHERE NOT imported AND project_id = ? AND created_us > ? ORDER BY created_us LIMIT 1),
		(SELECT min(id) FROM messages WHERE imported AND project_id = ? AND created_us > ?))`, project, us, project, us)
}

// placed is a delivery with its place among those of its message, and the message's type.
type placed struct {
	mail.DeliveryRow
	place int64
	kind  string
}

const allDeliveryColumns = "agent_id, message_id, project_id, delivered_us, read_us, ack_us, place, owed, urgent, kind, type"

func (tx *transaction) insertDeliveries(table string, list []placed) {
	for len(list) > 0 {
		n := min(len(list), chunkRows)
		tx.insertDeliveryChunk(table, list[:n])
		list = list[n:]
	}
}

func (tx *transaction) insertDeliveryChunk(table string, list []placed) {
	tx.queue("INSERT INTO "+table+" ("+allDeliveryColumns+`)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::integer[],
			$8::boolean[], $9::boolean[], $10::text[], $11::text[])`,
		column(list, func(d *placed) int64 { return int64(d.AgentID) }),
		column(list, func(d *placed) int64 { return d.Message }),
		column(list, func(d *placed) int64 { return int64(d.Project) }),
		column(list, func(d *placed) *int64 { return microOrNull(d.DeliveredAt) }),
		column(list, func(d *placed) *int64 { return microOrNull(d.ReadAt) }),
		column(list, func(d *placed) *int64 { return microOrNull(d.AckAt) }),
		column(list, func(d *placed) int64 { return d.place }),
		column(list, func(d *placed) bool { return d.Owed }),
		column(list, func(d *placed) bool { return d.Urgent }),
		column(list, func(d *placed) string { return string(d.Kind) }),
		column(list, func(d *placed) string { return d.kind }))
}
