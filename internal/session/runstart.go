package session

import (
	"slices"
	"time"

	"brenner/internal/evidence"
	"brenner/internal/science"
)

// started is when the first run began that a result rests on: the request's own, those that it cites, and those whose
// record names this thread and test (SCIENCE 3, looks). The zero time is none.
func (s *Session) started(r *ResultRequest) time.Time {
	first := r.Started
	cited := science.SourcesOf(r.Evidence)
	pack, err := s.of.Pack()
	if err != nil || s.of.settings.ReadRun == nil {
		return first
	}
	for _, source := range pack.Sources {
		if source.Kind != evidence.KindRun {
			continue
		}
		run, err := s.of.settings.ReadRun(source)
		if err != nil || !slices.Contains(cited, source.ID) && (run.Thread != r.ThreadID || run.Test != r.Test) {
			continue
		}
		if at, err := time.Parse(time.RFC3339Nano, run.StartedAt); err == nil && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}
