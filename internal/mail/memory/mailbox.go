package memory

import (
	"context"
	"slices"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Inbox implements mail.Mailbox.
func (s *Store) Inbox(ctx context.Context, q mail.InboxQuery) ([]mail.Received, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	agent := s.agent(q.Project, q.Agent)
	if agent == nil {
		return nil, mail.UnknownAgent(q.Agent)
	}
	var found []mail.Received
	for _, m := range s.messages {
		if d := s.delivery(m.ID, agent.ID); d != nil && receives(&q, &m, d) {
			found = append(found, mail.Received{Message: clone(&m), Delivery: d.Delivery})
		}
	}
	if !q.Oldest {
		slices.Reverse(found)
	}
	return limited(found, q.Limit), nil
}

func receives(q *mail.InboxQuery, m *mail.Message, d *mail.DeliveryRow) bool {
	return (q.Thread == "" || m.ThreadID == q.Thread) && hasType(q.Types, m.Type) &&
		m.ID > q.After && (q.Before == 0 || m.ID < q.Before) &&
		(q.Since.IsZero() || m.CreatedAt.After(q.Since)) &&
		(!q.Fresh || d.DeliveredAt.IsZero()) && (!q.Unread || d.ReadAt.IsZero()) && (!q.Urgent || d.Urgent) && (!q.Owed || d.Owed)
}

// Mark implements mail.Mailbox.
func (s *Store) Mark(ctx context.Context, mark mail.Mark) ([]mail.Delivery, error) {
	unlock, err := s.enter(ctx, mark.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	agent := s.agent(mark.Project, mark.Agent)
	if agent == nil {
		return nil, mail.UnknownAgent(mark.Agent)
	}
	for _, id := range mark.Messages {
		if d := s.delivery(id, agent.ID); d == nil {
			return nil, mail.NotReceived(agent.Name, id)
		}
	}
	marked := make([]mail.Delivery, 0, len(mark.Messages))
	for _, id := range mark.Messages {
		d := s.delivery(id, agent.ID)
		s.advance(d, mark.State, mail.Truncate(mark.At))
		marked = append(marked, d.Delivery)
	}
	return marked, nil
}

func (s *Store) delivery(message int64, agent mail.AgentID) *mail.DeliveryRow {
	if message < 1 || int(message) > len(s.messages) || s.isArchived(&s.messages[message-1]) {
		return nil
	}
	list := s.deliveries[message]
	for i := range list {
		if list[i].AgentID == agent {
			return &list[i]
		}
	}
	return nil
}

func (s *Store) advance(d *mail.DeliveryRow, to mail.State, at time.Time) {
	if !d.Advance(to, at) {
		return
	}
	if to == mail.Acknowledged {
		d.Owed = false
	}
	s.emit(mail.Event{
		Project: d.Project, Kind: mail.EventDelivery, Message: d.Message, Agent: d.Agent, State: to, At: at,
		Thread: s.messages[d.Message-1].ThreadID,
	})
}

// Search implements mail.Mailbox.
func (s *Store) Search(ctx context.Context, q mail.SearchQuery) ([]mail.Message, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var found []mail.Message
	for _, m := range slices.Backward(s.messages) {
		if !s.isArchived(&m) && q.Match(&m) {
			found = append(found, clone(&m))
		}
	}
	return mail.Rank(q, found), nil
}

// Events implements mail.Feed.
func (s *Store) Events(ctx context.Context, q mail.EventQuery) ([]mail.Event, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var found []mail.Event
	for _, e := range s.events[min(int(q.After), len(s.events)):] {
		if e.Project == q.Project {
			found = append(found, e)
		}
	}
	return limited(found, q.Limit), nil
}

// Wait implements mail.Feed.
func (s *Store) Wait(ctx context.Context, project mail.ProjectID, after mail.Cursor) error {
	for {
		unlock, err := s.enter(ctx, project)
		if err != nil {
			return err
		}
		changed := s.changed
		there := slices.ContainsFunc(s.events[min(int(after), len(s.events)):], func(e mail.Event) bool { return e.Project == project })
		unlock()
		if there {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Reservations implements mail.Store.
func (s *Store) Reservations(ctx context.Context, project mail.ProjectID, now time.Time,
	change func([]mail.Reservation) ([]mail.Reservation, error),
) ([]mail.Reservation, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if change == nil {
		return s.standing(project, now), nil
	}
	changed, err := change(s.standing(project, now))
	if err != nil {
		return nil, err
	}
	for _, r := range changed {
		if r.ID < 0 || int(r.ID) > len(s.reservations) || r.ID > 0 && s.reservations[r.ID-1].Project != project {
			return nil, protocol.Errorf(protocol.NotFound, "there is no lease %d", r.ID)
		}
	}
	for _, r := range changed {
		r.Project = project
		r.CreatedAt, r.ExpiresAt, r.Released = mail.Truncate(r.CreatedAt), mail.Truncate(r.ExpiresAt), mail.Truncate(r.Released)
		if r.ID == 0 {
			r.ID = int64(len(s.reservations) + 1)
			s.reservations = append(s.reservations, r)
			continue
		}
		s.reservations[r.ID-1] = r
	}
	return s.standing(project, now), nil
}

func (s *Store) standing(project mail.ProjectID, now time.Time) []mail.Reservation {
	var standing []mail.Reservation
	for _, r := range s.reservations {
		if r.Project == project && r.Active(now) {
			standing = append(standing, r)
		}
	}
	return standing
}
