package session

import (
	"context"
	"slices"

	"brenner/mail"
)

// glance judges the agents of a session: by what the overview found a moment ago where it knows them
// all, else anew.
func (s *Sessions) glance(ctx context.Context, v *View) ([]AgentState, error) {
	s.deck.mu.Lock()
	drawn := s.deck.cards != nil
	s.deck.mu.Unlock()
	if !drawn {
		return s.viewStates(ctx, v)
	}
	cards, err := s.cards(ctx)
	if err != nil {
		return nil, err
	}
	verdicts, err := s.attendance(ctx, cards)
	if err != nil {
		return nil, err
	}
	parts := s.parts(v)
	if slices.ContainsFunc(parts, func(a AgentState) bool { _, known := verdicts[mail.NameKey(a.Name)]; return !known }) {
		return s.viewStates(ctx, v)
	}
	return judged(parts, verdicts), nil
}
