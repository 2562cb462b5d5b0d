package fold

import "slices"

// Phase is how far a session has come (PROTOCOL 11).
type Phase string

// The phases.
const (
	PhaseKickoff    Phase = "kickoff"    // no delta yet
	PhaseCollecting Phase = "collecting" // deltas that no version covers
	PhaseCompiled   Phase = "compiled"
	PhaseCritique   Phase = "critique" // open critiques on the latest version
	PhaseComplete   Phase = "complete"
	PhaseArchived   Phase = "archived" // complete, and no longer in the store
)

// Over tells whether nobody is waited for any more.
func (p Phase) Over() bool { return p == PhaseComplete || p == PhaseArchived }

// Phase returns the phase of the session.
func (v *View) Phase() Phase {
	pending := v.Fold.Pending().Applied > 0
	switch {
	case v.Complete(): // only a KICKOFF reopens it, no late delta (PROTOCOL 10)
		return PhaseComplete
	case pending, v.Latest() == 0 && v.Deltas > 0:
		return PhaseCollecting
	case v.Latest() == 0:
		return PhaseKickoff
	case slices.ContainsFunc(v.Critiques, v.concernsLatest):
		return PhaseCritique
	default:
		return PhaseCompiled
	}
}

// concernsLatest tells whether a critique is open and attacks the latest version: the one it
// names, else the one that was the latest when it was sent.
func (v *View) concernsLatest(c Critique) bool {
	version := c.Target.Version
	if version == 0 {
		version = c.Version
	}
	return version >= v.Latest() && v.Open(&c)
}
