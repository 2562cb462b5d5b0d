package session

import (
	"context"

	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/science"
)

// Standing is a thread as of now, pending deltas included, with what else is known of its hypotheses. It never changes.
type Standing struct {
	View     *fold.View
	First    []ToDo // what waits for a person
	Review   science.Review
	Evidence *evidence.Judgement // what the items rest on
}

// Standing looks at a thread from one reading of what was folded before.
func (s *Sessions) Standing(ctx context.Context, v *fold.View) (Standing, error) {
	standing := Standing{View: v}
	judged, err := s.lint(ctx, v, v.Unhashed())
	if err != nil {
		return standing, err
	}
	standing.Evidence = judged.errors().evidence
	if standing.First, err = s.first(ctx, v); err != nil {
		return standing, err
	}
	standing.Review, err = s.review(ctx, v)
	return standing, err
}
