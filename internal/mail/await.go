package mail

import (
	"context"
	"time"
)

// Await waits until mail comes that an agent has not fetched, and returns it as Arrivals does; none if the patience
// ends first. A patience of 0 has no end. It bounds the waiting alone: a look at mail that is there is not cut short.
func (s *Service) Await(ctx context.Context, q InboxQuery, patience time.Duration) ([]Received, error) {
	after, err := s.Cursor(ctx) // before looking: what lands in between is seen twice, not never
	if err != nil {
		return nil, err
	}
	if arrived, err := s.Arrivals(ctx, q); err != nil || len(arrived) > 0 {
		return arrived, err
	}
	waiting, cancel := ctx, func() {}
	if patience > 0 {
		waiting, cancel = context.WithTimeout(ctx, patience)
	}
	defer cancel()
	for event, err := range s.Follow(waiting, after) {
		if err != nil && waiting.Err() == nil {
			return nil, err
		}
		if event.Kind != EventMessage {
			continue
		}
		if arrived, err := s.Arrivals(ctx, q); err != nil || len(arrived) > 0 {
			return arrived, err
		}
	}
	return nil, ctx.Err()
}
