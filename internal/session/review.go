package session

import "brenner/internal/science"

// Review says who has checked each hypothesis, and what is owed (SCIENCE 8).
func (s *Session) Review() science.Review {
	return s.reviewed.get(func() science.Review {
		return science.NewReview(science.ReviewInput{
			Artifact: s.View.Fold.Artifact(), Science: s.View.Science, Attacks: s.View.Attacks(), Family: s.People().Family,
		})
	})
}
