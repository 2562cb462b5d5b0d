package mail

import (
	"context"
	"strconv"

	"brenner/internal/protocol"
)

// Fetch returns what an agent received and marks it as delivered, nothing else (PROTOCOL 11). The
// result shows the state before.
func (s *Service) Fetch(ctx context.Context, q InboxQuery) ([]Received, error) {
	received, err := s.Inbox(ctx, q)
	if err != nil {
		return nil, err
	}
	var fresh []int64
	for i := range received {
		if received[i].Delivery.State() == Sent {
			fresh = append(fresh, received[i].Message.ID)
		}
	}
	if len(fresh) == 0 {
		return received, nil
	}
	_, err = s.store.Mark(ctx, Mark{Project: s.project.ID, Agent: q.Agent, Messages: fresh, State: Delivered, At: s.Now()})
	if protocol.CodeOf(err) == protocol.StoreUnavailable {
		err = nil // a store that can be read but not written still shows its mail
	}
	return received, err
}

// Inbox returns what an agent received and changes nothing.
func (s *Service) Inbox(ctx context.Context, q InboxQuery) ([]Received, error) {
	q.Project = s.project.ID
	return s.store.Inbox(ctx, q)
}

// MarkRead records that an agent read a message.
func (s *Service) MarkRead(ctx context.Context, agent string, id int64) (Delivery, error) {
	return s.mark(ctx, agent, id, Read)
}

func (s *Service) mark(ctx context.Context, agent string, id int64, state State) (Delivery, error) {
	marked, err := s.store.Mark(ctx, Mark{Project: s.project.ID, Agent: agent, Messages: []int64{id}, State: state, At: s.Now()})
	if err != nil {
		return Delivery{}, s.orArchived(ctx, agent, id, err)
	}
	return marked[0], nil
}

// Search finds messages by words, in the syntax of ParseSearch.
func (s *Service) Search(ctx context.Context, query string, q SearchQuery) ([]Message, error) {
	expr, err := ParseSearch(query)
	if err != nil {
		return nil, err
	}
	q.Project, q.Expr = s.project.ID, expr
	if q.Limit < 1 {
		q.Limit = 20
	}
	return s.store.Search(ctx, q)
}

// ThreadMessages returns the messages of a thread, oldest first. A thread that began as an answer
// to a message without one shows that message first (PROTOCOL 2). NOT_FOUND: no such thread.
func (s *Service) ThreadMessages(ctx context.Context, id string) ([]Message, error) {
	if id == "" { // would be every message
		return nil, NoThread(id)
	}
	messages, err := s.store.Messages(ctx, MessageQuery{Project: s.project.ID, Thread: id})
	if err != nil {
		return nil, err
	}
	if len(messages) == 0 {
		return nil, NoThread(id)
	}
	root, err := s.root(ctx, id, &messages[0])
	if err != nil || root == nil {
		return messages, err
	}
	return append([]Message{*root}, messages...), nil
}

// root returns the message without thread that a thread answers, nil if there is none.
func (s *Service) root(ctx context.Context, thread string, first *Message) (*Message, error) {
	if first.ReplyTo == 0 || strconv.FormatInt(first.ReplyOrigin, 10) != thread && strconv.FormatInt(first.ReplyTo, 10) != thread {
		return nil, nil
	}
	m, err := s.Message(ctx, first.ReplyTo)
	if err != nil || m.ThreadID != "" {
		return nil, err
	}
	return &m, nil
}
