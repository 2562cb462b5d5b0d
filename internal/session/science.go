package session

import (
	"brenner/internal/evidence"
	"brenner/internal/science"
)

// Results lists every result and attempt of the thread's tests, oldest first (SCIENCE 2).
func (s *Session) Results() []science.ResultRow { return s.View.Science.ResultRows() }

// Predictions lists every prediction of a thread, with what became of it (SCIENCE 3).
func (s *Session) Predictions() science.PredictionReport {
	report := s.View.Science.PredictionReport(addedDays(s.library))
	report.Findings = append(report.Findings, staleResults(s.library, s.Results())...)
	return report
}

// addedDays tells on which day a source was added to the pack of a library, which may be nil.
func addedDays(library *evidence.Library) science.Added {
	if library == nil || library.Pack == nil {
		return nil
	}
	return func(id string) string {
		source := library.Pack.Source(id)
		if source == nil || len(source.AddedAt) < len("2006-01-02") {
			return ""
		}
		return source.AddedAt[:len("2006-01-02")]
	}
}
