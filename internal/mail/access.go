package mail

import (
	"context"
	"slices"
	"strconv"

	"brenner/internal/protocol"
)

// Access is what one reader may see of a project's mail. PROTOCOL 16, who may read: with strict
// identity an agent reads the threads it is a member of, and mail from or to it; what else there is
// does not exist for it. Surfaces get an Access for each request and read through it.
type Access struct {
	service *Service
	bound   bool
	agent   string
}

// FullAccess reads everything: the operator's, and all agents' without strict identity.
func (s *Service) FullAccess() Access { return Access{service: s} }

// AccessOf reads what an agent may read. No name reads nothing.
func (s *Service) AccessOf(agent string) Access {
	return Access{service: s, bound: true, agent: agent}
}

// Message returns one message. NOT_FOUND: there is none of this id, or it is not for this reader.
func (a Access) Message(ctx context.Context, id int64) (Message, error) {
	m, err := a.service.Message(ctx, id)
	if !a.bound || err != nil && protocol.CodeOf(err) != protocol.ThreadArchived || m.Concerns(a.agent) {
		return m, err
	}
	if m.ThreadID == "" {
		return Message{}, noMessage(id)
	}
	switch hidden := a.CheckThread(ctx, m.ThreadID); {
	case protocol.CodeOf(hidden) == protocol.NotFound:
		return Message{}, noMessage(id)
	case hidden != nil:
		return Message{}, hidden
	}
	return m, err
}

// CheckMessage refuses a message as Message does. Without bounds nothing is asked.
func (a Access) CheckMessage(ctx context.Context, id int64) error {
	if !a.bound {
		return nil
	}
	_, err := a.Message(ctx, id)
	return err
}

// CheckThread refuses a thread that the reader is no member of. NOT_FOUND: that, or a bound reader asks for
// one that is not there. Without bounds nothing is asked.
func (a Access) CheckThread(ctx context.Context, id string) error {
	if !a.bound {
		return nil
	}
	found, err := a.threads(ctx, ThreadQuery{IDs: []string{id}})
	if err == nil && len(found) == 0 {
		err = NoThread(id)
	}
	return err
}

// CheckAddress refuses the thread or the message that an address names; either may be empty.
func (a Access) CheckAddress(ctx context.Context, thread, message string) error {
	if thread != "" {
		return a.CheckThread(ctx, thread)
	}
	if id, err := strconv.ParseInt(message, 10, 64); err == nil {
		return a.CheckMessage(ctx, id)
	}
	return nil
}

// SeesMailOf tells whether everything that an agent sent or received may be read.
func (a Access) SeesMailOf(agent string) bool {
	return !a.bound || a.agent != "" && protocol.SameAgent(a.agent, agent)
}

// CheckEvent refuses what happened to mail that may not be read.
func (a Access) CheckEvent(ctx context.Context, e Event) error {
	if e.Thread != "" {
		return a.CheckThread(ctx, e.Thread)
	}
	return a.CheckMessage(ctx, e.Message)
}

// Threads returns the summaries of the threads that may be read, most recently active first.
func (a Access) Threads(ctx context.Context) ([]Thread, error) { return a.LatestThreads(ctx, 0) }

// LatestThreads is Threads, as many as asked for; 0: all.
func (a Access) LatestThreads(ctx context.Context, limit int) ([]Thread, error) {
	return a.threads(ctx, ThreadQuery{Limit: limit})
}

func (a Access) threads(ctx context.Context, q ThreadQuery) ([]Thread, error) {
	if q.Project = a.service.project.ID; a.bound {
		if a.agent == "" {
			return nil, nil
		}
		q.Member = a.agent
	}
	return a.service.store.Threads(ctx, q)
}

// ThreadSet is a set of threads by id. A nil set has every thread.
type ThreadSet map[string]bool

// Has tells whether a thread is in the set.
func (s ThreadSet) Has(thread string) bool { return s == nil || s[thread] }

// ThreadSet returns the threads that may be read, as listings need them.
func (a Access) ThreadSet(ctx context.Context) (ThreadSet, error) {
	if !a.bound {
		return nil, nil
	}
	threads, err := a.Threads(ctx)
	set := make(ThreadSet, len(threads))
	for _, t := range threads {
		set[t.ID] = true
	}
	return set, err
}

// Filter tells which messages may be read, with the threads as they are now. It is nil where all may.
func (a Access) Filter(ctx context.Context) (func(*Message) bool, error) {
	set, err := a.ThreadSet(ctx)
	if err != nil || set == nil {
		return nil, err
	}
	return func(m *Message) bool { return m.ThreadID != "" && set[m.ThreadID] || m.Concerns(a.agent) }, nil
}

// Search is Service.Search among what may be read.
func (a Access) Search(ctx context.Context, query string, q SearchQuery) ([]Message, error) {
	var err error
	if q.Filter, err = a.Filter(ctx); err != nil {
		return nil, err
	}
	return a.service.Search(ctx, query, q)
}

// Pending is Service.Pending among what may be read.
func (a Access) Pending(ctx context.Context, q PendingQuery) ([]PendingAck, error) {
	pending, err := a.service.Pending(ctx, q)
	if err != nil {
		return nil, err
	}
	filter, err := a.Filter(ctx)
	if filter == nil {
		return pending, err
	}
	return slices.DeleteFunc(pending, func(p PendingAck) bool { return !filter(&p.Message) }), nil
}

// Concerns tells whether an agent sent or received the message.
func (m *Message) Concerns(agent string) bool {
	if agent == "" {
		return false
	}
	return protocol.SameAgent(m.From, agent) || slices.ContainsFunc(slices.Concat(m.To, m.Cc, m.Bcc), func(name string) bool {
		return protocol.SameAgent(name, agent)
	})
}
