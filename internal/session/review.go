package session

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/science"
)

// Review says who has checked each hypothesis of a thread, and what is owed (SCIENCE 7).
func (s *Sessions) Review(ctx context.Context, threadID string) (science.Review, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return science.Review{}, err
	}
	return s.review(ctx, v)
}

func (s *Sessions) review(ctx context.Context, v *fold.View) (science.Review, error) {
	people, err := s.people(ctx, v)
	if err != nil {
		return science.Review{}, err
	}
	return science.NewReview(science.ReviewInput{
		Artifact: v.Fold.Artifact(), Attacks: v.Attacks(), Last: v.Fold.UpdatedAt(), Family: people.family,
	}), nil
}
