package mail

import (
	"context"
	"iter"

	"brenner/internal/protocol"
)

// Members is who may write to a thread and read it under strict identity. PROTOCOL 16, who may write and read
// where: its conveners, the sender of its first message, and whoever a member addressed. Nobody becomes a member
// by writing, and whom somebody else addressed is none. The engines ask the same of their tables.
type Members map[string]bool // by NameKey

// MembersOf finds the members of a thread with these messages, oldest first.
func MembersOf(messages iter.Seq[*Message]) Members {
	members := Members{NameKey(protocol.Operator): true}
	addressed := map[string][]string{} // sender → whom it addressed
	first, begun := true, false
	for m := range messages {
		sender, kickoff := NameKey(m.From), m.Type == protocol.TypeKickoff
		if first || kickoff && !begun {
			members[sender] = true
		}
		first, begun = false, begun || kickoff
		_, keys := Addressed(&m.Message)
		addressed[sender] = append(addressed[sender], keys...)
	}
	queue := make([]string, 0, len(members))
	for name := range members {
		queue = append(queue, name)
	}
	for len(queue) > 0 {
		sender := queue[0]
		queue = queue[1:]
		for _, name := range addressed[sender] {
			if !members[name] {
				members[name] = true
				queue = append(queue, name)
			}
		}
	}
	return members
}

// Has tells whether an agent is a member.
func (m Members) Has(agent string) bool { return m[NameKey(agent)] }

type strictKey struct{}

// WithStrictIdentity says that whatever is done under a context is done by this agent: it sends only to threads that
// it is a member of, and what else there is does not exist for it (PROTOCOL 16). The servers say so once, for every
// tool and route.
func WithStrictIdentity(ctx context.Context, agent string) context.Context {
	return context.WithValue(ctx, strictKey{}, agent)
}

// sender is what the sender of a message may read: what the context says, else what the caller does.
func (s *Service) sender(ctx context.Context, given Access) Access {
	if agent, ok := ctx.Value(strictKey{}).(string); ok {
		return s.AccessOf(agent)
	}
	return given
}

// mayWrite refuses a message to a thread that its sender may not read. A thread without messages is there for the taking; the store
// asks again when the message goes in.
func (l *candidate) mayWrite(ctx context.Context) error {
	l.entry.Member = l.access.bound
	if !l.access.bound || l.thread.Messages == 0 {
		return nil
	}
	return l.access.CheckThread(ctx, l.thread.ID)
}

// readable is the message that the candidate answers: NOT_FOUND if it is none of its sender's.
func (l *candidate) readable(ctx context.Context, s *Service, id int64) (Message, error) {
	if l.access.bound {
		return l.access.Message(ctx, id)
	}
	return s.Message(ctx, id)
}
