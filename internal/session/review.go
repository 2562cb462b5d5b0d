package session

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/review"
)

// Review says who has checked each hypothesis of a thread, and what is owed (SCIENCE 7).
func (s *Sessions) Review(ctx context.Context, threadID string) (review.Report, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return review.Report{}, err
	}
	return s.review(ctx, v)
}

func (s *Sessions) review(ctx context.Context, v *fold.View) (review.Report, error) {
	people, err := s.people(ctx, v)
	if err != nil {
		return review.Report{}, err
	}
	return review.Judge(review.Input{
		Artifact: v.Fold.Artifact(), Attacks: v.Attacks(), Last: v.Fold.UpdatedAt(), Family: people.family,
	}), nil
}
