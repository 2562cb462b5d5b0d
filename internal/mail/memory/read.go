package memory

import (
	"cmp"
	"context"
	"slices"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// reader implements mail.Reader while the store is locked.
type reader struct{ s *Store }

// Agents implements mail.Reader.
func (s *Store) Agents(ctx context.Context, project mail.ProjectID, names ...string) ([]mail.Agent, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return reader{s}.Agents(ctx, project, names...)
}

func (r reader) Agents(_ context.Context, project mail.ProjectID, names ...string) ([]mail.Agent, error) {
	var found []mail.Agent
	for _, a := range r.s.agents {
		named := len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return mail.NameKey(n) == mail.NameKey(a.Name) })
		if a.Project == project && named {
			found = append(found, a)
		}
	}
	return found, nil
}

// Messages implements mail.Reader.
func (s *Store) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return reader{s}.Messages(ctx, q)
}

func (r reader) Messages(_ context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	if t := r.s.threads[threadKey{q.Project, q.Thread}]; t != nil && !q.Archived {
		if err := t.CheckPresent(); err != nil {
			return nil, err
		}
	}
	var found []mail.Message
	for i := range r.s.messages {
		if m := &r.s.messages[i]; r.s.isArchived(m) == q.Archived && selects(&q, m) {
			found = append(found, clone(m))
		}
	}
	if q.Order == mail.NewestFirst {
		slices.Reverse(found)
	}
	return limited(found, q.Limit), nil
}

func selects(q *mail.MessageQuery, m *mail.Message) bool {
	return m.Project == q.Project &&
		(q.IDs == nil || slices.Contains(q.IDs, m.ID)) &&
		(q.Keys == nil || m.Key != "" && slices.Contains(q.Keys, m.Key)) &&
		(q.Thread == "" || m.ThreadID == q.Thread) &&
		hasType(q.Types, m.Type) &&
		(q.From == "" || mail.NameKey(m.From) == mail.NameKey(q.From)) &&
		(q.At.IsZero() || m.CreatedAt.Equal(q.At)) &&
		m.ID > q.After && (q.Before == 0 || m.ID < q.Before)
}

func hasType(types []protocol.MessageType, t protocol.MessageType) bool {
	return len(types) == 0 || slices.Contains(types, t)
}

func limited[T any](list []T, limit int) []T {
	if limit > 0 && len(list) > limit {
		return list[:limit]
	}
	return list
}

func clone(m *mail.Message) mail.Message {
	c := *m
	c.To, c.Cc, c.Bcc = slices.Clone(c.To), slices.Clone(c.Cc), slices.Clone(c.Bcc)
	return c
}

// Threads implements mail.Reader.
func (s *Store) Threads(ctx context.Context, q mail.ThreadQuery) ([]mail.Thread, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return reader{s}.Threads(ctx, q)
}

func (r reader) Threads(_ context.Context, q mail.ThreadQuery) ([]mail.Thread, error) {
	var found []mail.Thread
	for _, t := range r.s.threads {
		if t.Project == q.Project && (q.IDs == nil || slices.Contains(q.IDs, t.ID)) && (q.Before == 0 || t.HeadID < q.Before) &&
			(q.Member == "" || r.members(t).Has(q.Member)) {
			found = append(found, *t)
		}
	}
	slices.SortFunc(found, func(a, b mail.Thread) int { return cmp.Compare(b.HeadID, a.HeadID) })
	return limited(found, q.Limit), nil
}

func (r reader) members(t *mail.Thread) mail.Members {
	return mail.MembersOf(func(yield func(*mail.Message) bool) {
		for i := range r.s.messages {
			if m := &r.s.messages[i]; m.Project == t.Project && m.ThreadID == t.ID && !yield(m) {
				return
			}
		}
	})
}

// Deliveries implements mail.Reader.
func (s *Store) Deliveries(ctx context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	unlock, err := s.enter(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return reader{s}.Deliveries(ctx, q)
}

func (r reader) Deliveries(_ context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	var found []mail.Delivery
	for i := range r.s.messages {
		m := &r.s.messages[i]
		if r.s.isArchived(m) || m.Project != q.Project || q.Thread != "" && m.ThreadID != q.Thread ||
			q.Messages != nil && !slices.Contains(q.Messages, m.ID) {
			continue
		}
		for _, d := range r.s.deliveries[m.ID] {
			if (q.Agent == "" || mail.NameKey(d.Agent) == mail.NameKey(q.Agent)) && (!q.Owed || d.Owed) {
				found = append(found, d.Delivery)
			}
		}
	}
	return found, nil
}
