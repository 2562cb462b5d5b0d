package session

import (
	"fmt"

	"brenner/internal/artifact"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// ancestor is what a new session is told of this one, which it goes on from.
func (s *Session) ancestor() *prompt.Ancestor {
	worlds := s.Beliefs().Worlds
	a := &prompt.Ancestor{
		Session: s.ID(), Question: s.View.Question, Version: s.View.Latest(), Belief: beliefLine(worlds),
		Found: resultLines(s.Results()),
		Ready: s.View.Fold.Artifact().Active(artifact.HypothesisSlate),
	}
	for _, h := range s.Review().Hypotheses {
		it := s.View.Fold.Artifact().Item(h.ID)
		name := fmt.Sprintf("%s %s", it.ID, protocol.Brief(it.Title()))
		if it.Killed != nil {
			a.Killed = append(a.Killed, name+": "+it.Killed.Reason)
			continue
		}
		a.Survivors = append(a.Survivors, fmt.Sprintf("%s (%s%s): %s", name, believed(worlds, string(it.ID)), h.State,
			it.Text(artifact.Claim)))
	}
	for _, t := range s.Ranking().Tests {
		a.Open = append(a.Open, testLine(&t))
	}
	return a
}

// believed says how likely a hypothesis is held.
func believed(worlds []science.WorldReport, id string) string {
	for _, w := range worlds {
		if w.ID == id {
			return fmt.Sprintf("%.0f %%, ", 100*w.Pooled)
		}
	}
	return ""
}
