package session

import "brenner/internal/science"

// Review says who has checked each hypothesis, and what is owed (SCIENCE 7).
func (s *Session) Review() science.Review {
	return s.reviewed.get(func() science.Review {
		return science.NewReview(science.ReviewInput{
			Artifact: s.View.Fold.Artifact(), Attacks: s.View.Attacks(), Last: s.View.Fold.UpdatedAt(), Family: s.people().family,
		})
	})
}
