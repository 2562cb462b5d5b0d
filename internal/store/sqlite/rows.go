package sqlite

import (
	"database/sql/driver"
	"strings"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

// table writes rows of one table, many with one statement: most of the cost of a small row is
// that of a statement.
type table struct {
	insert  string // INSERT INTO t (columns)
	columns int
	suffix  string // such as ON CONFLICT …
}

const (
	allMessageColumns = `id, project_id, original_id, imported, created_us, sender_id, ack_required, reply_to, reply_origin, version,
		thread_id, sender, to_names, cc_names, bcc_names, importance, intake, type, chain_hash, artifact_hash, idem_key, payload,
		subject, body`
	allDeliveryColumns = "agent_id, done, message_id, project_id, kind, type, delivered_us, read_us, ack_us, owed, urgent"
)

var (
	messageTable = &table{"INSERT INTO messages (" + allMessageColumns + ")", 24, ""}

	archivedMessageTable  = &table{"INSERT INTO archived_messages (" + allMessageColumns + ")", 24, ""}
	archivedDeliveryTable = &table{"INSERT INTO archived_deliveries (" + allDeliveryColumns + ")", 11, ""}

	deliveryTable = &table{"INSERT INTO deliveries (" + allDeliveryColumns + ")", 11, ""}
	eventTable    = &table{`INSERT INTO events (seq, project_id, kind, message_id, agent_id, state, at_us)`, 7, ""}
	threadTable   = &table{`INSERT INTO threads (project_id, thread_id, messages, first_id, first_type, head_id, chain_hash,
		latest_version, created_us, updated_us)`, 10, `ON CONFLICT DO UPDATE SET messages = excluded.messages,
		head_id = excluded.head_id, chain_hash = excluded.chain_hash, latest_version = excluded.latest_version,
		updated_us = excluded.updated_us`}
)

// sizes are the numbers of rows that a statement writes, and statements the texts for them.
var sizes = [...]int{16, 4, 1}

func (t *table) statements() [len(sizes)]string {
	row := "(" + strings.Repeat("?,", t.columns-1) + "?)"
	var texts [len(sizes)]string
	for i, rows := range sizes {
		texts[i] = t.insert + " VALUES " + strings.Repeat(row+",", rows-1) + row + " " + t.suffix
	}
	return texts
}

// arguments collects the values of a statement in the form that the driver takes: string, int64,
// []byte, bool or nil.
type arguments []driver.NamedValue

func (a *arguments) add(values ...driver.Value) {
	for _, v := range values {
		*a = append(*a, driver.NamedValue{Ordinal: len(*a) + 1, Value: v})
	}
}

// write inserts n rows; values adds those of a row.
func (tx *transaction) write(t *table, n int, values func(args *arguments, i int)) error {
	if n == 0 {
		return nil
	}
	texts := tx.files.statements(t)
	args := tx.files.args[:0]
	defer func() {
		clear(args)
		tx.files.args = args[:0]
	}()
	for i := 0; i < n; {
		for k, size := range sizes {
			if n-i < size {
				continue
			}
			args = args[:0]
			for range size {
				values(&args, i)
				i++
			}
			if err := tx.files.execRaw(texts[k], args); err != nil {
				return commitqueue.Fault(err)
			}
			break
		}
	}
	return nil
}

func (tx *transaction) insertMessages(messages []mail.Message) error {
	tx.messages += len(messages)
	return tx.writeMessages(messageTable, messages)
}

func (tx *transaction) writeMessages(to *table, messages []mail.Message) error {
	return tx.write(to, len(messages), func(args *arguments, i int) {
		m := &messages[i]
		args.add(m.ID, int64(m.Project), m.OriginalID, m.Imported, m.CreatedAt.UnixMicro(), int64(m.SenderID), m.AckRequired,
			m.ReplyTo, m.ReplyOrigin, int64(m.Version), m.ThreadID, m.From, joined(m.To), joined(m.Cc), joined(m.Bcc),
			string(m.Importance), string(m.Intake), string(m.Type),
			m.ChainHash[:], hashOrNull(m.ArtifactHash), textOrNull(m.Key), keyed(m), m.Subject, m.Body)
	})
}

func (tx *transaction) insertDeliveries(rows []mail.DeliveryRow, types map[int64]protocol.MessageType) error {
	return tx.writeDeliveries(deliveryTable, rows, types)
}

func (tx *transaction) writeDeliveries(to *table, rows []mail.DeliveryRow, types map[int64]protocol.MessageType) error {
	return tx.write(to, len(rows), func(args *arguments, i int) {
		d := &rows[i]
		args.add(int64(d.AgentID), !d.ReadAt.IsZero(), d.Message, int64(d.Project), string(d.Kind), string(types[d.Message]),
			nullMicro(d.DeliveredAt), nullMicro(d.ReadAt), nullMicro(d.AckAt), d.Owed, d.Urgent)
	})
}

// insertEvents writes events. That of a message needs no more than its id: the rest is
// stored with the message. One of a thread has its time as well.
func (tx *transaction) insertEvents(events []mail.Event) error {
	tx.events += len(events)
	return tx.write(eventTable, len(events), func(args *arguments, i int) {
		e := &events[i]
		var seq, at driver.Value
		if e.Seq != 0 {
			seq = int64(e.Seq)
		}
		if e.Kind == mail.EventArchived || e.Kind == mail.EventRestored {
			at = e.At.UnixMicro()
		}
		args.add(seq, int64(e.Project), string(e.Kind), e.Message, nil, nil, at)
	})
}

// insertDeliveryEvent writes the event of a delivery.
func (tx *transaction) insertDeliveryEvent(seq driver.Value, e *mail.Event, agent mail.AgentID) error {
	tx.events++
	return tx.write(eventTable, 1, func(args *arguments, _ int) {
		args.add(seq, int64(e.Project), string(e.Kind), e.Message, int64(agent), int64(e.State), e.At.UnixMicro())
	})
}

func (tx *transaction) putThreads(threads []*mail.Thread) error {
	return tx.write(threadTable, len(threads), func(args *arguments, i int) {
		t := threads[i]
		args.add(int64(t.Project), t.ID, int64(t.Messages), t.FirstID, string(t.FirstType), t.HeadID, t.ChainHash[:],
			int64(t.LatestVersion), t.CreatedAt.UnixMicro(), t.UpdatedAt.UnixMicro())
	})
}

func joined(names []string) string { return strings.Join(names, "\n") }

func hashOrNull(h canon.Hash) driver.Value {
	if h == (canon.Hash{}) {
		return nil
	}
	return h[:]
}

func textOrNull(text string) driver.Value {
	if text == "" {
		return nil
	}
	return text
}

// keyed is the payload of a message with a key; a zero one is stored too.
func keyed(m *mail.Message) driver.Value {
	if m.Key == "" {
		return nil
	}
	return m.Payload[:]
}
