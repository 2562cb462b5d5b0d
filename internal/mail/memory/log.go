package memory

import (
	"context"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
)

// Append implements mail.Log.
func (s *Store) Append(ctx context.Context, project mail.ProjectID, at time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return s.append(project, at, entries)
}

// Compose implements mail.Log.
func (s *Store) Compose(ctx context.Context, project mail.ProjectID, at time.Time,
	compose func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error),
) ([]mail.Message, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	entries, err := compose(ctx, tx{reader{s}, s.plan().NextTime(at)})
	if err != nil {
		return nil, err
	}
	return s.append(project, at, entries)
}

// tx implements mail.Tx.
type tx struct {
	reader
	time time.Time
}

func (t tx) NextID() int64   { return int64(len(t.s.messages)) + 1 }
func (t tx) Time() time.Time { return t.time }

func (s *Store) plan() *planner.Plan {
	return planner.New(int64(len(s.messages)), s.lastTime, mail.AgentID(len(s.agents)))
}

func (s *Store) append(project mail.ProjectID, at time.Time, entries []mail.Entry) ([]mail.Message, error) {
	plan, prepared := s.plan(), planner.Prepare(entries)
	wants := plan.Wants(project, prepared)
	for _, name := range wants.Agents {
		plan.KnowAgent(project, name, s.agent(project, name))
	}
	for _, id := range wants.Threads {
		var known *mail.Thread
		if t := s.threads[threadKey{project, id}]; t != nil {
			copied := *t
			known = &copied
		}
		plan.KnowThread(project, id, known)
	}
	for _, key := range wants.Keys {
		plan.KnowKey(project, key, s.byKey(project, key))
	}
	for _, e := range plan.Doubtful(project, prepared) {
		if t := s.threads[threadKey{project, e.Message.ThreadID}]; t != nil && (reader{s}).members(t).Has(e.Message.From) {
			plan.KnowMember(project, e)
		}
	}
	s.tellJournal(plan, project, &wants)
	messages, err := plan.Append(project, at, prepared)
	if err != nil {
		return nil, err
	}
	s.write(plan.Take())
	return messages, nil
}

func (s *Store) byKey(project mail.ProjectID, key string) *mail.Message {
	for i := range s.messages {
		if m := &s.messages[i]; m.Project == project && m.Key == key {
			found := clone(m)
			return &found
		}
	}
	return nil
}

func (s *Store) write(rows planner.Rows) {
	s.agents = append(s.agents, rows.Agents...)
	for i := range rows.Messages {
		m := clone(&rows.Messages[i])
		if !m.Imported {
			s.lastTime = m.CreatedAt
		}
		s.messages = append(s.messages, m)
	}
	s.leaves = append(s.leaves, rows.Leaves...)
	for _, d := range rows.Deliveries {
		s.deliveries[d.Message] = append(s.deliveries[d.Message], d)
	}
	for _, e := range rows.Events {
		s.emit(e)
	}
	for _, ack := range rows.Acks {
		if d := s.delivery(ack.Message, ack.AgentID); d != nil && d.Project == ack.Project {
			s.advance(d, mail.Acknowledged, ack.At)
		}
	}
	for _, t := range rows.Threads {
		s.threads[threadKey{t.Project, t.ID}] = t
	}
	for _, a := range rows.Active {
		s.agents[a.Agent-1].LastActiveAt = a.At
	}
}

func (s *Store) emit(e mail.Event) {
	e.Seq = mail.Cursor(len(s.events) + 1)
	s.events = append(s.events, e)
	close(s.changed)
	s.changed = make(chan struct{})
}
