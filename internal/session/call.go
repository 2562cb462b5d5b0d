package session

import (
	"slices"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
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
func (v *View) hearCall(m *mail.Message, t protocol.MessageType) {
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
		if i := v.callOf(m.From); i >= 0 && v.Calls[i].Answered.IsZero() {
			v.Calls[i].Answered = m.CreatedAt
		}
	}
}

// callOf finds the call of an agent; negative: there is none.
func (v *View) callOf(agent string) int {
	return slices.IndexFunc(v.Calls, func(c Call) bool { return protocol.SameAgent(c.Agent, agent) })
}

// call returns the place of an agent's call.
func (v *View) call(agent string) *Call {
	i := v.callOf(agent)
	if i < 0 {
		i = len(v.Calls)
		v.Calls = append(v.Calls, Call{})
	}
	return &v.Calls[i]
}

// calls are the calls of all agents. A complete session asks nothing of anybody.
func (v *View) calls() []Call {
	if !v.Complete() {
		return v.Calls
	}
	calls := slices.Clone(v.Calls)
	for i := range calls {
		calls[i].Direct = false
	}
	return calls
}

// kickoffsSince is how long a call to a round is of interest.
const kickoffsSince = 7 * 24 * time.Hour

// addCall adds what the call of an agent asks of it, and what the agent did about it. It has as long as an
// acknowledgement may take, counted from its own acknowledgement if it gave one.
func (q *inquiry) addCall(f *liveness.Facts, thread string, c *Call, d *mail.Delivery) {
	if q.now.Sub(c.At) > kickoffsSince {
		return
	}
	// That it was fetched says nothing: others look into inboxes too. Who fetches over MCP is noted there.
	if read := latest(d.ReadAt, d.AckAt); read.After(f.LastRead) {
		f.LastRead, f.ReadOn = read, thread
	}
	owesAck := slices.ContainsFunc(f.Debts, func(d liveness.Debt) bool { return d.Message == c.Kickoff })
	switch {
	case owesAck || !c.Direct:
	case !c.Answered.IsZero():
		f.Done = append(f.Done, liveness.Done{Thread: thread, At: c.Answered})
	default:
		f.Debts = append(f.Debts, liveness.Debt{
			Message: c.Kickoff, Thread: thread, What: liveness.Contribution, Call: true,
			Since: c.At, Fetched: d.DeliveredAt, Deadline: latest(c.At, d.AckAt).Add(q.mail.AckTime(protocol.TypeKickoff)),
		})
	}
}

func latest(t time.Time, others ...time.Time) time.Time {
	for _, other := range others {
		if other.After(t) {
			t = other
		}
	}
	return t
}
