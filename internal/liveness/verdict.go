package liveness

import (
	"encoding/json"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// State is what an agent is doing.
type State string

// The states.
const (
	Asks      State = "asks"       // its program waits for a person's answer
	SignedOut State = "signed_out" // its service does not know it
	Failing   State = "failing"    // its service refuses it, and its program tries again
	Working   State = "working"
	Waiting   State = "waiting" // for mail: a message wakes it
	Resting   State = "resting" // its service takes no more for now
	Idle      State = "idle"    // there, with nothing to do
	Silent    State = "silent"  // owes an answer and gives no sign
	Dead      State = "dead"    // its program ended
	Unknown   State = "unknown"
)

// States returns all states, the liveliest first.
func States() []State {
	return []State{Working, Waiting, Resting, Idle, Asks, Failing, Silent, SignedOut, Dead, Unknown}
}

// Words is the state as people read it.
func (s State) Words() string { return strings.ReplaceAll(string(s), "_", " ") }

// Verdict is what an agent is doing, and why that is believed.
type Verdict struct {
	Agent    string     `json:"agent"`
	State    State      `json:"state"`
	Since    Instant    `json:"since"` // null: there is no telling
	Reason   string     `json:"reason"`
	Cause    Cause      `json:"cause"`    // empty: no action is needed
	Evidence []Evidence `json:"evidence"` // the weightiest first
	NextStep string     `json:"next_step"`
	Asked    *Plight    `json:"asked,omitempty"` // what its program asks its person; absent: nothing

	Action *protocol.Action `json:"action,omitempty"` // what does the next step; absent: no operation does
}

// Cause names why an agent needs help, for those who give it.
type Cause string

// The causes.
const (
	CauseEnded          Cause = "ended"           // its program ended, and it had not done its part
	CauseNoContribution Cause = "no_contribution" // its program ended well, and the contribution is missing
	CauseDeadline       Cause = "deadline"        // its program runs past the deadline of its round
	CauseNotConnected   Cause = "not_connected"   // its program waits in its pane for something
	CauseOverdue        Cause = "overdue"         // it owes something for too long
	CauseLeft           Cause = "left"            // its client went away
	CausePaused         Cause = "paused"          // a person paused its program
	CauseAsks           Cause = "asks"            // its program waits for a person's answer
	CauseSignedOut      Cause = "signed_out"      // its service does not know it
	CauseFailing        Cause = "failing"         // its service refuses it, and its program tries again
)

// Evidence is one fact behind a verdict.
type Evidence struct {
	Fact   string  `json:"fact"` // process, call, wait, plight, owed, mail, lease, pane, retired
	Value  string  `json:"value"`
	At     Instant `json:"at"` // null: it holds now
	Weight int     `json:"weight"`
}

// Instant is a time that may be absent: JSON shows that as null.
type Instant struct{ time.Time }

// MarshalJSON implements json.Marshaler.
func (t Instant) MarshalJSON() ([]byte, error) { return json.Marshal(t.text()) }

func (t Instant) text() *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format("2006-01-02T15:04:05.000000Z")
	return &s
}

// String is the instant as JSON shows it, empty if it is absent.
func (t Instant) String() string {
	if s := t.text(); s != nil {
		return *s
	}
	return ""
}
