package session

import "brenner/internal/science"

// Results lists every result and attempt of the thread's tests, oldest first (SCIENCE 2).
func (s *Session) Results() []science.ResultRow { return s.View.Science.ResultRows() }

// Predictions lists every prediction of a thread, with what became of it (SCIENCE 3).
func (s *Session) Predictions() science.PredictionReport { return s.View.Science.PredictionReport() }
