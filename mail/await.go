package mail

import "context"

// Await waits until mail comes that an agent has not fetched, and returns it as Arrivals does. If the
// context ends first, the error is its.
func (s *Service) Await(ctx context.Context, q InboxQuery) ([]Received, error) {
	after, err := s.Cursor(ctx) // before looking: what lands in between is seen twice, not never
	if err != nil {
		return nil, err
	}
	if arrived, err := s.Arrivals(ctx, q); err != nil || len(arrived) > 0 {
		return arrived, err
	}
	for event, err := range s.Follow(ctx, after) {
		if err != nil {
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
