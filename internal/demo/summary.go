package demo

import (
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

// summary is a version in a line.
func summary(out session.Outcome) string {
	s := out.Stats
	parts := []string{
		protocol.Plural(s.Hypotheses, "hypothesis"), protocol.Plural(s.Predictions, "prediction"), protocol.Plural(s.Tests, "test"),
		protocol.Plural(s.Assumptions, "assumption"), protocol.Plural(s.Anomalies, "anomaly"), protocol.Plural(s.Critiques, "critique"),
	}
	return strings.Join(parts, ", ") + "; " + protocol.Plural(out.Lint.Summary.Errors, "lint error") + ", " +
		protocol.Plural(out.Lint.Summary.Warnings, "warning")
}
