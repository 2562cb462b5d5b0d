package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/store/commitqueue"
)

// The columns of a delivery.
const deliveryColumns = "d.message_id, a.name, d.kind, d.delivered_us, d.read_us, d.ack_us"

// deliveryRow receives the columns of a delivery.
type deliveryRow struct {
	d                    mail.Delivery
	delivered, read, ack sql.NullInt64
}

func (r *deliveryRow) targets() []any {
	return []any{&r.d.Message, &r.d.Agent, &r.d.Kind, &r.delivered, &r.read, &r.ack}
}

func (r *deliveryRow) delivery() mail.Delivery {
	d := r.d
	d.DeliveredAt, d.ReadAt, d.AckAt = fromMicro(r.delivered.Int64), fromMicro(r.read.Int64), fromMicro(r.ack.Int64)
	return d
}

func scanDelivery(rows *sql.Rows) (mail.Delivery, error) {
	var r deliveryRow
	err := rows.Scan(r.targets()...)
	return r.delivery(), err
}

// Deliveries implements mail.Reader.
func (s *Store) Deliveries(ctx context.Context, q mail.DeliveryQuery) (list []mail.Delivery, err error) {
	err = s.read(ctx, "reading deliveries", func(r reader) error {
		list, err = r.Deliveries(ctx, q)
		return err
	})
	return list, err
}

func (r reader) Deliveries(ctx context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	list, err := r.deliveries(ctx, q)
	if err == nil && len(list) == 0 {
		err = r.checkProject(ctx, q.Project)
	}
	return list, err
}

// deliveries finds deliveries by what is most selective: those that are owed have an index of
// their own, those of one agent are stored together; others are looked up for each recipient that a
// message names.
func (r reader) deliveries(ctx context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	var w where
	from := "deliveries d CROSS JOIN agents a ON a.id = d.agent_id"
	switch {
	case q.Owed:
		w.add("d.owed = 1 AND d.project_id = ?", q.Project)
	case q.Agent == "":
		return r.deliveriesOf(ctx, q)
	default:
		from = "agents a CROSS JOIN deliveries d ON d.agent_id = a.id AND d.done IN (0, 1)"
		w.add("a.project_id = ?", q.Project)
	}
	if q.Agent != "" {
		w.add("a.name_key = ?", mail.NameKey(q.Agent))
	}
	if q.Messages != nil {
		w.in("d.message_id", q.Messages)
	}
	if q.Thread != "" {
		w.add("EXISTS (SELECT 1 FROM messages m WHERE m.id = d.message_id AND m.thread_id = ?)", q.Thread)
	}
	list, err := collect(ctx, r.db, scanDelivery, "SELECT "+deliveryColumns+" FROM "+from+w.String()+" ORDER BY d.message_id, d.agent_id",
		w.args...)
	if err != nil || len(list) < 2 || q.Agent != "" {
		return list, err
	}
	return r.inOrder(ctx, q, list)
}

// delivered is the place of a delivery among those of its message.
type delivered struct {
	message int64
	key     string // of the recipient's name
}

// deliveriesOf walks messages and looks up their recipients, each with all of its messages at once.
func (r reader) deliveriesOf(ctx context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	var order []delivered
	received := map[string][]int64{}
	err := r.recipients(ctx, q, func(id int64, names []string) error {
		for _, name := range names {
			order = append(order, delivered{id, name})
			received[name] = append(received[name], id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := make(map[delivered]mail.Delivery, len(order))
	for name, ids := range received {
		for some := range slices.Chunk(ids, 500) {
			var w where
			w.add("a.project_id = ? AND a.name_key = ?", q.Project, name)
			w.in("d.message_id", some)
			list, err := collect(ctx, r.db, scanDelivery, "SELECT "+deliveryColumns+
				" FROM agents a CROSS JOIN deliveries d ON d.agent_id = a.id AND d.done IN (0, 1)"+w.String(), w.args...)
			if err != nil {
				return nil, err
			}
			for _, d := range list {
				found[delivered{d.Message, name}] = d
			}
		}
	}
	var list []mail.Delivery
	for _, at := range order {
		if d, ok := found[at]; ok {
			list = append(list, d)
		}
	}
	return list, nil
}

// inOrder brings deliveries into the order of their message's recipients.
func (r reader) inOrder(ctx context.Context, q mail.DeliveryQuery, list []mail.Delivery) ([]mail.Delivery, error) {
	found := make(map[delivered]mail.Delivery, len(list))
	var ids []int64
	for _, d := range list {
		found[delivered{d.Message, mail.NameKey(d.Agent)}] = d
		if n := len(ids); n == 0 || ids[n-1] != d.Message {
			ids = append(ids, d.Message)
		}
	}
	ordered := list[:0]
	err := r.recipients(ctx, mail.DeliveryQuery{Project: q.Project, Messages: ids}, func(id int64, names []string) error {
		for _, name := range names {
			if d, ok := found[delivered{id, name}]; ok {
				ordered = append(ordered, d)
			}
		}
		return nil
	})
	return ordered, err
}

// recipients visits the messages of a query with the name keys of their recipients, each
// once, in the order to, cc, bcc.
func (r reader) recipients(ctx context.Context, q mail.DeliveryQuery, visit func(id int64, names []string) error) error {
	var w where
	w.add("project_id = ?", q.Project)
	if q.Messages != nil {
		w.in("id", q.Messages)
	}
	if q.Thread != "" {
		w.add("thread_id = ? AND thread_id <> ''", q.Thread)
	}
	type addressed struct {
		id    int64
		names string
	}
	list, err := collect(ctx, r.db, func(rows *sql.Rows) (m addressed, err error) { return m, rows.Scan(&m.id, &m.names) },
		"SELECT id, to_names || char(10) || cc_names || char(10) || bcc_names FROM messages"+w.String()+" ORDER BY id", w.args...)
	if err != nil {
		return err
	}
	for _, m := range list {
		if err := visit(m.id, distinctKeys(m.names)); err != nil {
			return err
		}
	}
	return nil
}

func distinctKeys(names string) []string {
	var keys []string
	seen := map[string]bool{"": true}
	for name := range strings.SplitSeq(names, "\n") {
		if key := mail.NameKey(name); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// Mark implements mail.Mailbox.
func (s *Store) Mark(ctx context.Context, mark mail.Mark) (marked []mail.Delivery, err error) {
	err = s.writer.do(ctx, "marking messages", func(tx *transaction) error {
		marked, err = tx.mark(ctx, mark)
		return err
	})
	if err != nil {
		return nil, err
	}
	return marked, nil
}

func (tx *transaction) mark(ctx context.Context, mark mail.Mark) ([]mail.Delivery, error) {
	if err := tx.flush(); err != nil { // it may be about a message of this transaction
		return nil, err
	}
	agents, err := tx.Agents(ctx, mark.Project, mark.Agent)
	if err != nil {
		return nil, err
	}
	if len(agents) == 0 {
		return nil, mail.UnknownAgent(mark.Agent)
	}
	for _, id := range mark.Messages {
		if found, err := tx.delivery(ctx, id, agents[0].ID); err != nil {
			return nil, err
		} else if found == nil {
			return nil, mail.NotReceived(agents[0].Name, id)
		}
	}
	marked := make([]mail.Delivery, 0, len(mark.Messages))
	for _, id := range mark.Messages {
		if err := tx.advance(mark.Project, id, agents[0].ID, mark.State, mail.Truncate(mark.At)); err != nil {
			return nil, err
		}
		d, err := tx.delivery(ctx, id, agents[0].ID)
		if err != nil {
			return nil, err
		}
		marked = append(marked, *d)
	}
	return marked, nil
}

func (tx *transaction) delivery(ctx context.Context, message int64, agent mail.AgentID) (*mail.Delivery, error) {
	found, err := collect(ctx, tx, scanDelivery, "SELECT "+deliveryColumns+` FROM deliveries d CROSS JOIN agents a ON a.id = d.agent_id
		WHERE d.agent_id = ? AND d.done IN (0, 1) AND d.message_id = ?`, agent, message)
	return first(found), err
}

// advance moves a delivery forward, with an event, if it is there and behind.
func (tx *transaction) advance(project mail.ProjectID, message int64, agent mail.AgentID, to mail.State, at time.Time) error {
	d, err := tx.delivery(context.Background(), message, agent)
	if err != nil {
		return commitqueue.Fault(err)
	}
	if d == nil || !d.Advance(to, at) {
		return nil
	}
	err = tx.exec(`UPDATE deliveries SET done = ?, delivered_us = ?, read_us = ?, ack_us = ?, owed = owed AND ?
		WHERE agent_id = ? AND done IN (0, 1) AND message_id = ? AND project_id = ?`,
		!d.ReadAt.IsZero(), nullMicro(d.DeliveredAt), nullMicro(d.ReadAt), nullMicro(d.AckAt), d.AckAt.IsZero(), agent, message, project)
	if err != nil {
		return err
	}
	return tx.insertDeliveryEvent(nil, &mail.Event{
		Project: project, Kind: mail.EventDelivery, Message: message, State: to, At: at,
	}, agent)
}
