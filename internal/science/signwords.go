package science

import (
	"fmt"
	"strings"

	"brenner/internal/protocol"
)

// Words say the signs of an agent, or of a session, in a sentence; empty if there is nothing to say.
func (s *Sign) Words() string {
	var parts []string
	if s.Results > 0 {
		parts = append(parts, fmt.Sprintf("answered %d of %s", s.Answered, protocol.Plural(s.Results, "result")))
	}
	if s.Refuted > 0 {
		parts = append(parts, fmt.Sprintf("took up %d of %s", s.Revised, protocol.Plural(s.Refuted, "refuted prediction")))
	}
	if s.Statements > 0 {
		parts = append(parts, s.moved())
	}
	if s.FalseQuotes > 0 {
		parts = append(parts, protocol.Plural(s.FalseQuotes, "false quotation"))
	}
	if s.Rewritten > 0 {
		parts = append(parts, protocol.Plural(s.Rewritten, "prediction")+" written after the result")
	}
	return strings.Join(parts, "; ")
}

// moved says how statements moved beside how their own numbers say that they should have.
func (s *Sign) moved() string {
	how := fmt.Sprintf("%.2f from what its numbers imply", *s.Drift)
	if s.Revision == nil {
		return fmt.Sprintf("restated %s, %s", times(s.Statements), how)
	}
	word := "moves as its own numbers say"
	switch r := *s.Revision; {
	case r < 0:
		word = "moves away from the evidence"
	case r < 0.5:
		word = "hardly moves"
	case r > 1.5:
		word = "moves further than its own numbers say"
	}
	return fmt.Sprintf("%s (revision %.2f, %s, restated %s)", word, *s.Revision, how, times(s.Statements))
}

// Lines are the signs in words: of the session, then of each agent of whom there is something to say.
func (s *Signs) Lines() []string {
	var lines []string
	if words := s.Session.Words(); words != "" {
		lines = append(lines, "All: "+words+".")
	}
	for i := range s.Rows {
		if words := s.Rows[i].Words(); words != "" {
			lines = append(lines, *s.Rows[i].Agent+": "+words+".")
		}
	}
	return lines
}
