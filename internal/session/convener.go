package session

import (
	"brenner/internal/fold"
	"brenner/internal/protocol"
)

// notConvener says that a later KICKOFF of a thread is for its conveners to send (PROTOCOL 3).
func notConvener(v *fold.View, from string) protocol.Finding {
	return protocol.NewFinding(protocol.NotAllowed, "%s sent the first KICKOFF of %s and convenes it; %s cannot send a further one.",
		v.Settled.First, v.Fold.ThreadID(), from).In("from").
		WithFix("Ask %s or the operator to open the round, or begin a session of your own.", v.Settled.First)
}

// MayOpenRounds refuses who may not open a further round of a session. NOT_ALLOWED: the agent does not convene it.
func MayOpenRounds(v *fold.View, agent string) error {
	if v.Fold.MayKickoff(agent) {
		return nil
	}
	f := notConvener(v, agent)
	return protocol.Errorf(f.Code, "%s", f.Message).WithFindings([]protocol.Finding{f})
}
