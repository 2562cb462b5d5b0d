// Package science reads from a thread what SCIENCE says it proves and advises: results, predictions,
// beliefs, what to do next, the lives of hypotheses and who has reviewed them. It is pure.
//
// State is the whole of it. The fold of a thread calls Advance once for each message, right
// after merge.State.Fold, with the report of that fold and the artifact after it; the
// cost is that of what the message changed. Readers take a Snapshot, which is cheap and never
// changes. A State survives as JSON (encoding/json) and can be advanced further from there.
package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
)

// State is what a thread says beside its artifact. The zero value is that of a thread without
// messages. It belongs to one goroutine; its snapshots may be shared.
type State struct {
	Messages    int // taken so far
	Results     Results
	Predictions Predictions
	Beliefs     Beliefs
	Lifelines   Lifelines
	Wordings    Wordings
	Challenges  Challenges
	Roll        Roll
	Deeds       Deeds
	Last        time.Time // of the last message
	Asks        []Ask     // questions and what blocks agents, oldest first

	// OutcomeOnly leaves out what no outcome of compiling tells: wordings, challenges, deeds and asks.
	OutcomeOnly bool `json:",omitzero"`
}

// Advance takes the next message of the thread: report is what folding it did, after the
// artifact that came of it. Both are only read, and not kept.
func (s *State) Advance(m *message.Message, report *merge.MessageReport, after *artifact.Artifact) {
	s.Messages++
	step := Step{Place: s.Messages, Message: m, Report: report, Artifact: after}
	s.Results.Advance(step)
	s.Predictions.Advance(step)
	s.Beliefs.Advance(step)
	s.Lifelines.Advance(step)
	s.Roll.Advance(step)
	s.Last = m.CreatedAt
	if s.OutcomeOnly {
		return
	}
	s.Wordings.Advance(step)
	s.Challenges.Advance(step, &s.Wordings)
	s.Deeds.Advance(step, s.Results.latest())
	s.asks(step)
}

// Snapshot returns the state as it is now; neither of the two changes the other from then on.
func (s *State) Snapshot() *State {
	s.Asks = slices.Clip(s.Asks)
	copied := *s
	copied.Results, copied.Predictions, copied.Beliefs = *s.Results.Snapshot(), *s.Predictions.Snapshot(), *s.Beliefs.Snapshot()
	copied.Lifelines, copied.Roll = *s.Lifelines.Snapshot(), s.Roll.snapshot()
	copied.Wordings, copied.Challenges = *s.Wordings.Snapshot(), *s.Challenges.Snapshot()
	copied.Deeds = s.Deeds.snapshot()
	return &copied
}
