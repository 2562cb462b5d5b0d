package sqlite

import (
	"context"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

// Append implements mail.Log.
func (s *Store) Append(ctx context.Context, project mail.ProjectID, at time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	prepared := planner.Prepare(entries) // on the sender's goroutine
	var messages []mail.Message
	err := s.writer.submit("sending a message",
		commitqueue.NewAppend(ctx, project, prepared, func(_ context.Context, tx *transaction) (err error) {
			messages, err = tx.append(project, at, prepared)
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
		messages, err = tx.append(project, at, planner.Prepare(entries))
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
func (tx *transaction) append(project mail.ProjectID, at time.Time, entries []planner.Prepared) ([]mail.Message, error) {
	if err := tx.findMembers(project, tx.plan.Doubtful(project, entries)); err != nil {
		return nil, err
	}
	wants := tx.plan.Wants(project, entries)
	if len(wants.Stories) > 0 {
		if err := tx.flush(); err != nil { // what was sent before is to be seen
			return nil, err
		}
	}
	if err := tx.supply(project, &wants); err != nil {
		return nil, err
	}
	return tx.plan.Append(project, at, entries)
}

// findMembers tells the plan which senders are members of their threads, with everything that was sent before.
func (tx *transaction) findMembers(project mail.ProjectID, doubtful []*planner.Prepared) error {
	if len(doubtful) == 0 {
		return nil
	}
	if err := tx.checkProject(context.Background(), project); err != nil {
		return err
	}
	if err := tx.flush(); err != nil { // what was sent before is to be seen
		return err
	}
	for _, e := range doubtful {
		found, err := tx.Threads(context.Background(), mail.ThreadQuery{Project: project, IDs: []string{e.Message.ThreadID},
			Member: e.Message.From})
		if err != nil {
			return commitqueue.Fault(err)
		}
		if len(found) > 0 {
			tx.plan.KnowMember(project, e)
		}
	}
	return nil
}

// prefetch supplies what the appends of a batch want to know, all at once.
func (tx *transaction) prefetch(batch []*call) error {
	for _, w := range commitqueue.WantsOf(tx.plan, batch) {
		// A project that is not there fails its own calls, later.
		if err := tx.supply(w.Project, &w.Wants); commitqueue.IsFault(err) {
			return err
		}
	}
	return nil
}

// supply tells the plan what it wants to know.
func (tx *transaction) supply(project mail.ProjectID, wants *planner.Wants) error {
	if wants.Empty() {
		return nil
	}
	ctx := context.Background()
	if err := tx.tellJournal(project, wants); err != nil {
		return err
	}
	if len(wants.Agents) > 0 { // every message names some, so a project is checked before its first
		if err := tx.checkProject(ctx, project); err != nil {
			return err
		}
		agents, err := tx.agentsWhere(ctx, "WHERE project_id = ? AND name_key IN (SELECT value FROM json_each(?))", project,
			jsonList(wants.Agents))
		if err != nil {
			return commitqueue.Fault(err)
		}
		know(project, wants.Agents, agents, tx.plan.KnowAgent, func(a *mail.Agent) string { return mail.NameKey(a.Name) })
	}
	if len(wants.Threads) > 0 {
		threads, err := tx.threadsWhere(ctx, "WHERE project_id = ? AND thread_id IN (SELECT value FROM json_each(?))", project,
			jsonList(wants.Threads))
		if err != nil {
			return commitqueue.Fault(err)
		}
		know(project, wants.Threads, threads, tx.plan.KnowThread, func(t *mail.Thread) string { return t.ID })
	}
	if len(wants.Keys) > 0 {
		const keyed = "WHERE project_id = ? AND idem_key IN (SELECT value FROM json_each(?))"
		messages, err := tx.messagesWhere(ctx, keyed, project, jsonList(wants.Keys))
		if err != nil {
			return commitqueue.Fault(err)
		}
		archived, err := tx.messagesIn(ctx, "archived_messages", keyed, project, jsonList(wants.Keys))
		if err != nil {
			return commitqueue.Fault(err)
		}
		messages = append(messages, archived...)
		know(project, wants.Keys, messages, tx.plan.KnowKey, func(m *mail.Message) string { return m.Key })
	}
	return nil
}

// know tells the plan what was found, and that the rest is not there.
func know[T any](project mail.ProjectID, wanted []string, found []T, tell func(mail.ProjectID, string, *T), key func(*T) string) {
	byKey := make(map[string]*T, len(found))
	for i := range found {
		byKey[key(&found[i])] = &found[i]
	}
	for _, k := range wanted {
		tell(project, k, byKey[k])
	}
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
	if err := tx.insertMessages(rows.Messages); err != nil {
		return err
	}
	if err := tx.insertDeliveries(rows.Deliveries, typesOf(rows.Messages)); err != nil {
		return err
	}
	if err := tx.insertLeaves(rows.Leaves); err != nil {
		return err
	}
	if err := tx.insertEvents(rows.Events); err != nil {
		return err
	}
	for _, ack := range rows.Acks {
		if err := tx.advance(ack.Project, ack.Message, ack.AgentID, mail.Acknowledged, ack.At); err != nil {
			return err
		}
	}
	return tx.writeSummaries(&rows)
}

func typesOf(messages []mail.Message) map[int64]protocol.MessageType {
	types := make(map[int64]protocol.MessageType, len(messages))
	for i := range messages {
		types[messages[i].ID] = messages[i].Type
	}
	return types
}

// writeSummaries writes what follows from the messages.
func (tx *transaction) writeSummaries(rows *planner.Rows) error {
	if err := tx.putThreads(rows.Threads); err != nil {
		return err
	}
	if len(rows.Active) == 0 {
		return nil
	}
	active := make(map[mail.AgentID]int64, len(rows.Active))
	for _, a := range rows.Active {
		active[a.Agent] = a.At.UnixMicro()
	}
	return tx.exec("UPDATE agents SET active_us = j.value FROM json_each(?) j WHERE agents.id = CAST(j.key AS INTEGER)", jsonList(active))
}
