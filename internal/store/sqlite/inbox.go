package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"brenner/internal/mail"
)

// Inbox implements mail.Mailbox.
func (s *Store) Inbox(ctx context.Context, q mail.InboxQuery) (list []mail.Received, err error) {
	err = s.read(ctx, "reading an inbox", func(r reader) error {
		if list, err = r.inbox(ctx, q); err != nil || len(list) > 0 {
			return err
		}
		agents, err := r.Agents(ctx, q.Project, q.Agent)
		if err == nil && len(agents) == 0 {
			err = mail.UnknownAgent(q.Agent)
		}
		return err
	})
	return list, err
}

// inbox finds the agent and its mail with one query: most of the cost of a small query is that of
// having one.
func (r reader) inbox(ctx context.Context, q mail.InboxQuery) ([]mail.Received, error) {
	w, err := r.inboxFilter(ctx, &q)
	if err != nil {
		return nil, err
	}
	inner, args := w.found(q.Limit)
	if q.Thread == "" && !q.Fresh && !q.Unread && !q.Urgent && !q.Owed {
		inner, args = w.bothHalves(q.Limit)
	}
	return collectUpTo(ctx, r.db, min(q.Limit, usualPage), receivedScanner(), "SELECT "+inboxColumns+", "+messageColumns+" FROM ("+
		inner+`) d
		CROSS JOIN messages m ON m.id = d.message_id ORDER BY d.message_id`+w.direction,
		append([]any{q.Project, mail.NameKey(q.Agent)}, args...)...)
}

// usualPage is how many messages are asked for at a time, as a rule.
const usualPage = 25

const (
	inboxAgent   = "SELECT id FROM agents WHERE project_id = ? AND name_key = ?"
	inboxColumns = "(SELECT name FROM agents WHERE project_id = ? AND name_key = ?), d.kind, d.delivered_us, d.read_us, d.ack_us"
)

// receivedScanner reads row after row into the same targets.
func receivedScanner() func(*sql.Rows) (mail.Received, error) {
	d, m := &deliveryRow{}, &messageRow{}
	targets := slices.Concat(d.targets()[1:], m.targets())
	return func(rows *sql.Rows) (mail.Received, error) {
		if err := rows.Scan(targets...); err != nil {
			return mail.Received{}, err
		}
		d.d.Message = m.m.ID
		return mail.Received{Message: m.message(), Delivery: d.delivery()}, nil
	}
}

// inboxWhere selects deliveries of an inbox.
type inboxWhere struct {
	where
	from      string
	direction string // of the order by id
}

// inboxFilter chooses where to look: a thread is smaller than an inbox, what is urgent or owed has
// an index, and unread messages are stored together.
func (r reader) inboxFilter(ctx context.Context, q *mail.InboxQuery) (*inboxWhere, error) {
	w := &inboxWhere{from: "deliveries d", direction: " DESC"}
	if q.Oldest {
		w.direction = ""
	}
	w.add("d.agent_id = ("+inboxAgent+")", q.Project, mail.NameKey(q.Agent))
	switch {
	case q.Thread != "":
		w.from = "messages t CROSS JOIN deliveries d ON d.done IN (0, 1) AND d.message_id = t.id"
		w.add("t.project_id = ? AND t.thread_id = ? AND t.thread_id <> ''", q.Project, q.Thread)
	case q.Owed:
		w.from = "deliveries d INDEXED BY deliveries_owed"
	case q.Urgent:
		w.from = "deliveries d INDEXED BY deliveries_urgent"
	}
	if len(q.Types) > 0 {
		w.in("d.type", q.Types)
	}
	if q.Before > 0 {
		w.add("d.message_id < ?", q.Before)
	}
	if q.After > 0 {
		w.add("d.message_id > ?", q.After)
	}
	if q.Unread || q.Fresh {
		w.add("d.done = 0")
	}
	if q.Fresh {
		w.add("d.delivered_us IS NULL")
	}
	if q.Urgent {
		w.add("d.urgent = 1")
	}
	if q.Owed {
		w.add("d.owed = 1 AND d.project_id = ?", q.Project)
	}
	if q.Since.IsZero() {
		return w, nil
	}
	return w, r.since(ctx, *q, &w.where)
}

// found is the query for the first deliveries.
func (w *inboxWhere) found(limit int) (string, []any) {
	part := w.where
	query := "SELECT d.message_id, d.kind, d.delivered_us, d.read_us, d.ack_us FROM " + w.from + part.String() + " ORDER BY d.message_id" +
		w.direction
	return query + part.limit(limit), part.args
}

// bothHalves is the query over what was read and what was not, the first of each.
func (w *inboxWhere) bothHalves(limit int) (string, []any) {
	var parts []string
	var args []any
	for _, done := range []string{"d.done = 0", "d.done = 1"} {
		half := inboxWhere{from: w.from, direction: w.direction, where: where{parts: append([]string{done}, w.parts...), args: w.args}}
		query, own := half.found(limit)
		parts = append(parts, "SELECT * FROM ("+query+")")
		args = append(args, own...)
	}
	all := where{args: args}
	query := strings.Join(parts, " UNION ALL ") + " ORDER BY message_id" + w.direction + all.limit(limit)
	return query, all.args
}

// since restricts to messages created after a time. What was sent here has ids in the order of
// time, so one id divides it; only imports have to be looked at one by one.
func (r reader) since(ctx context.Context, q mail.InboxQuery, w *where) error {
	last, err := number(ctx, r.db, `SELECT id FROM messages WHERE imported = 0 AND project_id = ? AND created_us <= ?
		ORDER BY created_us DESC LIMIT 1`, q.Project, q.Since.UnixMicro())
	if err != nil {
		return err
	}
	imported, err := number(ctx, r.db, `SELECT count(*) FROM (SELECT 1 FROM messages WHERE imported = 1 AND project_id = ?
		AND created_us > ? LIMIT 1)`, q.Project, q.Since.UnixMicro())
	if err != nil {
		return err
	}
	if imported == 0 {
		w.add("d.message_id > ?", last)
	}
	w.add("EXISTS (SELECT 1 FROM messages s WHERE s.id = d.message_id AND s.created_us > ?)", q.Since.UnixMicro())
	return nil
}
