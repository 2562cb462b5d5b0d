package mail

import (
	"context"
	"time"
)

// Await waits until mail comes that an agent has not fetched, and returns it as Arrivals does; nothing if the patience
// ends first. Mail that came and that another waiter took ends the wait too. A patience of 0 has no end. It bounds the
// waiting alone: a look at mail that is there is not cut short.
func (s *Service) Await(ctx context.Context, q InboxQuery, patience time.Duration) (Waited, error) {
	after, err := s.Cursor(ctx) // before looking: what lands in between is seen twice, not never
	if err != nil {
		return Waited{}, err
	}
	newest, err := s.Newest(ctx, q)
	if err != nil {
		return Waited{}, err
	}
	if arrived, err := s.Arrivals(ctx, q); err != nil || len(arrived) > 0 {
		return Waited{Mail: arrived}, err
	}
	waiting, cancel := ctx, func() {}
	if patience > 0 {
		waiting, cancel = context.WithTimeout(ctx, patience)
	}
	defer cancel()
	for event, err := range s.Follow(waiting, after) {
		if err != nil && waiting.Err() == nil {
			return Waited{}, err
		}
		if event.Kind != EventMessage {
			continue
		}
		if w, err := s.lookAgain(ctx, q, newest); err != nil || w.Done() {
			return w, err
		}
	}
	return Waited{}, ctx.Err()
}

// lookAgain looks for mail after something came, and for who was quicker.
func (s *Service) lookAgain(ctx context.Context, q InboxQuery, newest int64) (Waited, error) {
	arrived, err := s.Arrivals(ctx, q)
	if err != nil || len(arrived) > 0 {
		return Waited{Mail: arrived}, err
	}
	taken, err := s.Taken(ctx, q, newest)
	return Waited{Taken: taken}, err
}
