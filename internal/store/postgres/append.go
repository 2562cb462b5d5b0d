package postgres

import (
	"context"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/store/commitqueue"
)

// Append implements mail.Log.
func (s *Store) Append(ctx context.Context, project mail.ProjectID, at time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	prepared := planner.Prepare(entries) // on the sender's goroutine
	var messages []mail.Message
	err := s.writer.submit("sending a message",
		commitqueue.NewAppend(ctx, project, prepared, func(ctx context.Context, tx *transaction) (err error) {
			messages, err = tx.append(ctx, project, at, prepared)
			return err
		}))
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
	err := s.writer.do(ctx, "writing to a thread", func(shared context.Context, tx *transaction) error {
		messages = nil
		if err := tx.checkProject(shared, project); err != nil {
			return err
		}
		if err := tx.flush(shared); err != nil { // what was sent before is to be seen
			return err
		}
		entries, err := compose(ctx, inside{tx.reader, tx.plan.LastID() + 1, tx.plan.NextTime(at)})
		if tx.broken != nil { // whatever compose made of it
			return tx.broken
		}
		if err != nil {
			return verbatim{err}
		}
		messages, err = tx.append(shared, project, at, planner.Prepare(entries))
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
func (tx *transaction) append(ctx context.Context, project mail.ProjectID, at time.Time,
	entries []planner.Prepared) ([]mail.Message, error) {
	if err := tx.checkProject(ctx, project); err != nil {
		return nil, err
	}
	if err := tx.findMembers(ctx, project, tx.plan.Doubtful(project, entries)); err != nil {
		return nil, err
	}
	if wants := tx.plan.Wants(project, entries); !wants.Empty() {
		if len(wants.Stories) > 0 {
			if err := tx.flush(ctx); err != nil { // what was sent before is to be seen
				return nil, err
			}
		}
		f := &facts{wants: []commitqueue.Wants{{Project: project, Wants: wants}}}
		if err := tx.exchange(ctx, f.queue(tx.store, tx.queued)...); err != nil {
			return nil, err
		}
		f.tell(tx.plan)
	}
	return tx.plan.Append(project, at, entries)
}

// findMembers tells the plan which senders are members of their threads, with everything that was sent before.
func (tx *transaction) findMembers(ctx context.Context, project mail.ProjectID, doubtful []*planner.Prepared) error {
	if len(doubtful) == 0 {
		return nil
	}
	if err := tx.flush(ctx); err != nil {
		return err
	}
	for _, e := range doubtful {
		found, err := tx.Threads(ctx, mail.ThreadQuery{Project: project, IDs: []string{e.Message.ThreadID}, Member: e.Message.From})
		if err != nil {
			return err
		}
		if len(found) > 0 {
			tx.plan.KnowMember(project, e)
		}
	}
	return nil
}

// The rows that travel in one statement.
const (
	chunkRows  = 2000
	chunkBytes = 4 << 20
)

// flush queues the rows planned so far. Acknowledgements have to be looked up, so they send
// what is queued.
func (tx *transaction) flush(ctx context.Context) error {
	rows := tx.plan.Take()
	if len(rows.Messages)+len(rows.Agents) == 0 {
		return nil
	}
	tx.insertAgents(rows.Agents)
	for _, a := range rows.Agents {
		tx.head.lastAgent = max(tx.head.lastAgent, a.ID)
	}
	kinds := make(map[int64]string, len(rows.Messages))
	for i := range rows.Messages {
		m := &rows.Messages[i]
		kinds[m.ID] = string(m.Type)
		if !m.Imported {
			tx.head.lastTime = m.CreatedAt
		}
		tx.head.lastMessage = m.ID
	}
	if len(tx.written) == 0 && len(rows.Messages) > 0 {
		tx.written = rows.Messages[:1]
	}
	if err := tx.writeMessages(ctx, rows.Messages); err != nil {
		return err
	}
	tx.insertDeliveries(hot.deliveries, inPlace(rows.Deliveries, kinds))
	tx.insertLeaves(rows.Leaves)
	tx.insertEvents(rows.Events)
	tx.putThreads(rows.Threads)
	tx.moveActivity(rows.Active)
	if len(rows.Acks) == 0 {
		return nil
	}
	return tx.acknowledge(ctx, rows.Acks)
}

// writeMessages writes messages into the log, many at a time.
func (tx *transaction) writeMessages(ctx context.Context, list []mail.Message) error {
	for len(list) > 0 {
		n := chunk(list)
		tx.insertMessages(hot.messages, list[:n])
		if list = list[n:]; len(list) > 0 {
			if err := tx.exchange(ctx); err != nil { // keep what is held in memory small
				return err
			}
		}
	}
	return nil
}

// inPlace numbers the deliveries of each message, which are together.
func inPlace(list []mail.DeliveryRow, kinds map[int64]string) []placed {
	numbered := make([]placed, len(list))
	for i, d := range list {
		numbered[i] = placed{DeliveryRow: d, kind: kinds[d.Message]}
		if i > 0 && list[i-1].Message == d.Message {
			numbered[i].place = numbered[i-1].place + 1
		}
	}
	return numbered
}

// chunk is how many of the messages travel together.
func chunk(list []mail.Message) int {
	size := 0
	for i := range list {
		if size += len(list[i].Body); i > 0 && (i == chunkRows || size > chunkBytes) {
			return i
		}
	}
	return len(list)
}

func (tx *transaction) moveActivity(list []planner.Activity) {
	if len(list) == 0 {
		return
	}
	tx.queue("UPDATE agents SET active_us = n.us FROM unnest($1::bigint[], $2::bigint[]) n (id, us) WHERE agents.id = n.id",
		column(list, func(a *planner.Activity) int64 { return int64(a.Agent) }),
		column(list, func(a *planner.Activity) int64 { return a.At.UnixMicro() }))
}
