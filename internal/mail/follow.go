package mail

import (
	"context"
	"iter"
)

// Follow hands out the project's events after a cursor, those that are there and then those
// that come, until the context ends or the reader stops. Keeping the Seq of the last event is
// enough to go on later without a gap.
func (s *Service) Follow(ctx context.Context, after Cursor) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			for e, err := range s.Since(ctx, after) {
				if !yield(e, err) || err != nil {
					return
				}
				after = e.Seq
			}
			if err := s.store.Wait(ctx, s.project.ID, after); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// Since hands out the project's events after a cursor that are there. An error is the last.
func (s *Service) Since(ctx context.Context, after Cursor) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			page, err := s.store.Events(ctx, EventQuery{Project: s.project.ID, After: after, Limit: PageSize})
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, e := range page {
				after = e.Seq
				if !yield(e, nil) {
					return
				}
			}
			if len(page) < PageSize {
				return
			}
		}
	}
}

// Cursor returns the place behind the last event, to follow what comes from now on.
func (s *Service) Cursor(ctx context.Context) (Cursor, error) {
	status, err := s.store.Status(ctx)
	return status.Cursor, err
}
