package session

import (
	"slices"
	"time"

	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// kickoffsSince is how long a call to a round is of interest.
const kickoffsSince = 7 * 24 * time.Hour

// addCall adds what the call of an agent asks of it, and what the agent did about it. It has as long as an
// acknowledgement may take, counted from its own acknowledgement if it gave one.
func (q *inquiry) addCall(f *liveness.Facts, thread string, c *fold.Call, d *mail.Delivery) {
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
