package mail

import (
	"context"
	"sync"

	"brenner/internal/protocol"
)

// Arrivals returns mail that an agent has not fetched, oldest first, and marks it as delivered. Of
// several callers at once, in any number of processes, one gets each message.
func (s *Service) Arrivals(ctx context.Context, q InboxQuery) ([]Received, error) {
	q.Fresh, q.Oldest = true, true
	own, _ := s.arriving.LoadOrStore(NameKey(q.Agent), &sync.Mutex{})
	lock := own.(*sync.Mutex)
	lock.Lock() // callers of this process could claim at the same microsecond
	defer lock.Unlock()
	for {
		fresh, err := s.Inbox(ctx, q)
		if err != nil || len(fresh) == 0 {
			return nil, err
		}
		claimed, err := s.claim(ctx, q.Agent, fresh)
		if err != nil || len(claimed) > 0 {
			return claimed, err
		}
	}
}

// claim marks messages as delivered and returns those that no other call marked before: their
// deliveries bear the time of this call. Once begun it does not end with the context: what is marked has to be shown.
func (s *Service) claim(ctx context.Context, agent string, fresh []Received) ([]Received, error) {
	ids := make([]int64, len(fresh))
	for i := range fresh {
		ids[i] = fresh[i].Message.ID
	}
	now := s.Now()
	marked, err := s.store.Mark(context.WithoutCancel(ctx), Mark{Project: s.project.ID, Agent: agent, Messages: ids, State: Delivered,
		At: now})
	if protocol.CodeOf(err) == protocol.StoreUnavailable {
		return fresh, nil // a store that can be read but not written still shows its mail
	}
	if err != nil {
		return nil, err
	}
	var claimed []Received
	for i := range marked { // in the order asked for
		if marked[i].DeliveredAt.Equal(now) {
			claimed = append(claimed, fresh[i])
		}
	}
	return claimed, nil
}
