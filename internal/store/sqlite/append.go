package sqlite

import (
	"context"
	"strings"
	"time"

	"brenner/canon"
	"brenner/mail"
)

// Append implements mail.Log.
func (s *Store) Append(ctx context.Context, project mail.ProjectID, at time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	prepared := mail.Prepare(entries) // on the sender's goroutine
	var messages []mail.Message
	err := s.writer.do(ctx, "sending a message", func(tx *transaction) (err error) {
		messages, err = tx.append(project, at, prepared)
		return err
	})
	if err != nil {
		return nil, err
	}
	return messages, nil
}

// Compose implements mail.Log.
func (s *Store) Compose(ctx context.Context, project mail.ProjectID, at time.Time,
	compose func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error),
) ([]mail.Message, error) {
	var messages []mail.Message
	err := s.writer.do(ctx, "writing to a thread", func(tx *transaction) error {
		messages = nil
		if err := tx.checkProject(context.Background(), project); err != nil {
			return err
		}
		if err := tx.flush(); err != nil { // what was sent before is to be seen
			return err
		}
		entries, err := compose(ctx, inside{tx.reader, tx.plan.LastID() + 1, tx.plan.NextTime(at)})
		if err != nil {
			return err
		}
		messages, err = tx.append(project, at, mail.Prepare(entries))
		return err
	})
	if err != nil {
		return nil, err
	}
	return messages, nil
}

// inside implements mail.Tx.
type inside struct {
	reader
	next int64
	time time.Time
}

func (i inside) NextID() int64   { return i.next }
func (i inside) Time() time.Time { return i.time }

// append plans entries; the rows are written with those of other calls.
func (tx *transaction) append(project mail.ProjectID, at time.Time, entries []mail.Prepared) ([]mail.Message, error) {
	wants := tx.plan.Wants(project, entries)
	if !wants.Empty() {
		if err := tx.checkProject(context.Background(), project); err != nil {
			return nil, err
		}
		if err := tx.supply(project, &wants); err != nil {
			return nil, err
		}
	}
	return tx.plan.Append(project, at, entries)
}

// supply tells the plan what it wants to know.
func (tx *transaction) supply(project mail.ProjectID, wants *mail.Wants) error {
	ctx := context.Background()
	for _, key := range wants.Agents {
		agents, err := tx.agentsWhere(ctx, "WHERE project_id = ? AND name_key = ?", project, key)
		if err != nil {
			return fault{err}
		}
		tx.plan.KnowAgent(project, key, first(agents))
	}
	for _, id := range wants.Threads {
		threads, err := tx.threadsWhere(ctx, "WHERE project_id = ? AND thread_id = ?", project, id)
		if err != nil {
			return fault{err}
		}
		tx.plan.KnowThread(project, id, first(threads))
	}
	for _, key := range wants.Keys {
		messages, err := tx.messagesWhere(ctx, "WHERE project_id = ? AND idem_key = ?", project, key)
		if err != nil {
			return fault{err}
		}
		tx.plan.KnowKey(project, key, first(messages))
	}
	return nil
}

func first[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// flush writes the rows planned so far.
func (tx *transaction) flush() error {
	rows := tx.plan.Take()
	for i := range rows.Agents {
		if err := tx.insertAgent(&rows.Agents[i]); err != nil {
			return err
		}
	}
	var lastTime time.Time
	types := make(map[int64]string, len(rows.Messages))
	for i := range rows.Messages {
		m := &rows.Messages[i]
		if err := tx.insertMessage(m); err != nil {
			return err
		}
		types[m.ID] = string(m.Type)
		if !m.Imported {
			lastTime = m.CreatedAt
		}
	}
	for i := range rows.Deliveries {
		if err := tx.insertDelivery(&rows.Deliveries[i], types[rows.Deliveries[i].Message]); err != nil {
			return err
		}
	}
	for i := range rows.Events {
		if err := tx.insertEvent(&rows.Events[i]); err != nil {
			return err
		}
	}
	for _, ack := range rows.Acks {
		if err := tx.advance(ack.Project, ack.Message, ack.AgentID, mail.Acknowledged, ack.At); err != nil {
			return err
		}
	}
	if !lastTime.IsZero() {
		if err := tx.exec("UPDATE meta SET value = ? WHERE key = 'last_time'", micro(lastTime)); err != nil {
			return err
		}
	}
	return tx.writeSummaries(&rows)
}

func (tx *transaction) writeSummaries(rows *mail.Rows) error {
	for _, t := range rows.Threads {
		if err := tx.putThread(t); err != nil {
			return err
		}
	}
	for _, a := range rows.Active {
		if err := tx.exec("UPDATE agents SET active_us = ? WHERE id = ?", micro(a.At), a.Agent); err != nil {
			return err
		}
	}
	return nil
}

func (tx *transaction) insertMessage(m *mail.Message) error {
	tx.messages++
	return tx.exec(`INSERT INTO messages (id, project_id, original_id, imported, created_us, sender_id, ack_required,
		reply_to, reply_origin, version, thread_id, sender, to_names, cc_names, bcc_names, importance, intake, type,
		chain_hash, artifact_hash, idem_key, payload, subject, body)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		m.ID, m.Project, m.OriginalID, m.Imported, m.CreatedAt.UnixMicro(), m.SenderID, m.AckRequired,
		m.ReplyTo, m.ReplyOrigin, m.Version, m.ThreadID, m.From, joined(m.To), joined(m.Cc), joined(m.Bcc),
		string(m.Importance), string(m.Intake), string(m.Type),
		m.ChainHash[:], hashOrNull(m.ArtifactHash), textOrNull(m.Key), keyed(m), m.Subject, m.Body)
}

func joined(names []string) string { return strings.Join(names, "\n") }

func hashOrNull(h canon.Hash) any {
	if h == (canon.Hash{}) {
		return nil
	}
	return h[:]
}

func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// keyed is the payload of a message with a key; a zero one is stored too.
func keyed(m *mail.Message) any {
	if m.Key == "" {
		return nil
	}
	return m.Payload[:]
}

func (tx *transaction) insertDelivery(d *mail.DeliveryRow, kind string) error {
	return tx.exec(`INSERT INTO deliveries (agent_id, message_id, project_id, kind, type, delivered_us, read_us, ack_us, owed, urgent)
		VALUES (?,?,?,?,?,?,?,?,?,?)`,
		d.AgentID, d.Message, d.Project, string(d.Kind), kind, nullMicro(d.DeliveredAt), nullMicro(d.ReadAt), nullMicro(d.AckAt), d.Owed, d.Urgent)
}

func (tx *transaction) insertEvent(e *mail.Event) error {
	tx.events++
	return tx.exec(`INSERT INTO events (project_id, kind, message_id, thread_id, agent, state, version, at_us) VALUES (?,?,?,?,?,?,?,?)`,
		e.Project, string(e.Kind), e.Message, e.Thread, e.Agent, int(e.State), e.Version, micro(e.At))
}

func (tx *transaction) putThread(t *mail.Thread) error {
	return tx.exec(`INSERT INTO threads (project_id, thread_id, messages, first_id, first_type, head_id, chain_hash,
			latest_version, created_us, updated_us)
		VALUES (?,?,?,?,?,?,?,?,?,?)
		ON CONFLICT DO UPDATE SET messages = excluded.messages, head_id = excluded.head_id, chain_hash = excluded.chain_hash,
			latest_version = excluded.latest_version, updated_us = excluded.updated_us`,
		t.Project, t.ID, t.Messages, t.FirstID, string(t.FirstType), t.HeadID, t.ChainHash[:],
		t.LatestVersion, t.CreatedAt.UnixMicro(), t.UpdatedAt.UnixMicro())
}
