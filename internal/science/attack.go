package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Attack is a challenge to hypotheses: a CRITIQUE message, a C item, or both in one.
type Attack struct {
	MessageID int64
	Item      artifact.ItemID // empty: it has no item
	From      string
	Severity  string // empty: it says none
	Hits      []Hit
	At        time.Time
	Open      bool
	Replies   []Reply // oldest first
}

// AttackState says what became of an attack.
type AttackState string

// The states of an attack (SCIENCE 8).
const (
	AttackOpen      AttackState = "open"
	AttackAnswered  AttackState = "answered"  // by another than its critic
	AttackWithdrawn AttackState = "withdrawn" // only its critic closed it, or it was born settled
)

// On returns the hit on a hypothesis, nil if the attack does not name it.
func (a *Attack) On(id string) *Hit {
	if i := slices.IndexFunc(a.Hits, func(h Hit) bool { return h.Hypothesis == id }); i >= 0 {
		return &a.Hits[i]
	}
	return nil
}

// State is that of the attack as its critic made it.
func (a *Attack) State() AttackState { return a.stateFor(a.From) }

// stateFor is the state of what one critic said.
func (a *Attack) stateFor(critic string) AttackState {
	switch {
	case a.Open:
		return AttackOpen
	case a.answer(critic) != nil:
		return AttackAnswered
	}
	return AttackWithdrawn
}

// answer is the first reply of somebody other than the critic, nil if there is none.
func (a *Attack) answer(critic string) *Reply {
	if i := slices.IndexFunc(a.Replies, func(r Reply) bool { return !protocol.SameAgent(r.By, critic) }); i >= 0 {
		return &a.Replies[i]
	}
	return nil
}

// end is when a critic's words were answered, else when they were closed; for an open attack the thread's last message. It is
// never the clock.
func (a *Attack) end(critic string, last time.Time) time.Time {
	answer := a.answer(critic)
	switch {
	case a.Open:
		return last
	case answer != nil:
		return answer.At
	case len(a.Replies) > 0:
		return a.Replies[0].At
	}
	return a.At // born settled
}

// seen is what the critic of a hit saw of the hypotheses: at the attack, and wherever it closed it itself after somebody's
// answer.
func (a *Attack) seen(h *Hit) []Seen {
	list := slices.Clip(h.Seen)
	answered := false
	for _, r := range a.Replies {
		switch own := protocol.SameAgent(r.By, h.By); {
		case !own:
			answered = true
		case answered && r.Closes:
			list = append(list, r.Seen...)
		}
	}
	return list
}

// age is how long an attack waited from a moment on.
func age(from, to time.Time) float64 { return max(to.Sub(from).Seconds(), 0) }
