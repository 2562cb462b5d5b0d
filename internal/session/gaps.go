package session

import (
	"fmt"
	"slices"

	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Gaps says what a further round of agents would do best for: hypotheses whose own conditions were met, hypotheses that no test tells
// apart, hypotheses that no independent agent has attacked, tests that cannot discriminate.
func (s *Session) Gaps() []string {
	ranking := s.Ranking()
	gaps := s.metConditions()
	for _, pair := range ranking.Unseparated {
		gaps = append(gaps, fmt.Sprintf("design a test that tells %s from %s", pair[0], pair[1]))
	}
	for _, h := range s.Review().Hypotheses {
		switch h.State {
		case science.Unreviewed:
			gaps = append(gaps, fmt.Sprintf("attack %s, which has not been attacked", h.ID))
		case science.Outdated:
			gaps = append(gaps, fmt.Sprintf("attack %s as it stands now: %s", h.ID, h.Why()))
		case science.Provisional:
			gaps = append(gaps, fmt.Sprintf("attack %s from another model family than its authors'", h.ID))
		}
	}
	for _, t := range ranking.Tests {
		if hasCode(t.Findings, protocol.CannotDiscriminate) {
			gaps = append(gaps, fmt.Sprintf("sharpen or kill %s, which tells no hypotheses apart", t.Test))
		}
	}
	return gaps
}

// metConditions names the hypotheses that said they would be killed by what was found, each once.
func (s *Session) metConditions() []string {
	var gaps []string
	for _, note := range s.View.Science.ResultNotes() {
		gap := fmt.Sprintf("kill %s, or say why it lives: a condition of its own was met by %s", note.Test, note.Met)
		if note.Finding.Code == protocol.KillConditionMet && !slices.Contains(gaps, gap) {
			gaps = append(gaps, gap)
		}
	}
	return gaps
}

func hasCode(findings []protocol.Finding, code protocol.Code) bool {
	for _, f := range findings {
		if f.Code == code {
			return true
		}
	}
	return false
}
