package demo

import (
	"fmt"

	"brenner/session"
)

// summary is a version in a line.
func summary(out session.Outcome) string {
	s := out.Stats
	return fmt.Sprintf("%d hypotheses, %d predictions, %d tests, %d assumptions, %d anomalies, %d critiques; %d lint errors, %d warnings",
		s.Hypotheses, s.Predictions, s.Tests, s.Assumptions, s.Anomalies, s.Critiques, out.Lint.Summary.Errors, out.Lint.Summary.Warnings)
}
