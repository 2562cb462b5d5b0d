package fold

import (
	"slices"
	"time"

	"brenner/internal/protocol"
)

// Call is the latest KICKOFF of a thread that an agent received, and whether it answered it. An imported KICKOFF
// calls nobody.
type Call struct {
	Agent    string
	Kickoff  int64
	At       time.Time
	Direct   bool      // it was addressed to the agent; else the agent got a copy
	Answered time.Time // when the agent sent its first contribution since; zero: it has not
}

// hearCall follows who is called to a round and who contributes to it: by any message but an acknowledgement.
func (v *View) hearCall(m *Message, t protocol.MessageType) {
	switch t {
	case protocol.TypeKickoff:
		if m.Imported {
			return
		}
		for _, name := range slices.Concat(m.To, m.Cc, m.Bcc) {
			*v.call(name) = Call{Agent: name, Kickoff: m.ID, At: m.CreatedAt, Direct: slices.Contains(m.To, name)}
		}
	case protocol.TypeAck:
	default:
		if i := v.CallOf(m.From); i >= 0 && v.Calls[i].Answered.IsZero() {
			v.Calls[i].Answered = m.CreatedAt
		}
	}
}

// CallOf finds the call of an agent; negative: there is none.
func (v *View) CallOf(agent string) int {
	return slices.IndexFunc(v.Calls, func(c Call) bool { return protocol.SameAgent(c.Agent, agent) })
}

// call returns the place of an agent's call.
func (v *View) call(agent string) *Call {
	i := v.CallOf(agent)
	if i < 0 {
		i = len(v.Calls)
		v.Calls = append(v.Calls, Call{})
	}
	return &v.Calls[i]
}

// Called are the calls of all agents. A complete session asks nothing of anybody.
func (v *View) Called() []Call {
	if !v.Complete() {
		return v.Calls
	}
	calls := slices.Clone(v.Calls)
	for i := range calls {
		calls[i].Direct = false
	}
	return calls
}
