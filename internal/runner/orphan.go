package runner

import (
	"context"
	"time"

	"brenner/internal/process"
	"brenner/internal/proctree"
)

// orphan is a program whose runner is gone. It is known by the process that was noted, its number and when
// it began: what became of its output says nothing, since a wrapper may send it elsewhere and a grandchild
// may hold it for ever.
type orphan struct {
	record *agentRecord
	mark   string
	host   string // this machine
}

// find tells whether the program lives. A runner that was killed before it could note the process left only
// the mark in its environment; the process is noted then.
func (o *orphan) find(ctx context.Context) bool {
	if o.record.Host != "" && o.record.Host != o.host {
		return false // this machine can neither see nor end it
	}
	if o.record.PID != 0 {
		return o.alive(ctx)
	}
	members, err := proctree.Family{Mark: o.mark}.Members()
	if err != nil || len(members) == 0 {
		return false
	}
	first := members[0]
	for _, m := range members[1:] {
		if m.Started < first.Started {
			first = m
		}
	}
	o.record.PID, o.record.Started = first.PID, process.Started(ctx, first.PID)
	return o.alive(ctx)
}

func (o *orphan) alive(ctx context.Context) bool {
	alive, known := process.Alive(ctx, o.record.PID, o.record.Started)
	return alive && known
}

// adoptionPace is how often a runner looks whether a program that is not its child has ended.
const adoptionPace = 50 * time.Millisecond

// await waits until the program has ended, and ends it at its deadline or with the context.
func (o *orphan) await(ctx context.Context, deadline time.Time, grace time.Duration, v *monitor) Ending {
	tick := time.NewTicker(adoptionPace)
	defer tick.Stop()
	defer v.over()
	for whole := context.WithoutCancel(ctx); o.alive(whole); <-tick.C {
		switch {
		case ctx.Err() != nil:
			o.end(whole, grace)
			return CutOff
		case time.Now().After(deadline):
			o.end(whole, grace)
			return AtDeadline
		}
		if end := v.look(whole, time.Now()); end != "" {
			o.end(whole, grace)
			return end
		}
	}
	kill(o.record.PID) // what is left of its group
	return Lost
}

// end asks the program and its group to end, and makes them after grace. It returns when the program is
// gone, or after a minute: it is not ours to end then.
func (o *orphan) end(ctx context.Context, grace time.Duration) {
	terminate(o.record.PID)
	tick := time.NewTicker(adoptionPace)
	defer tick.Stop()
	for began := time.Now(); o.alive(ctx); <-tick.C {
		switch waited := time.Since(began); {
		case waited > grace+time.Minute:
			return
		case waited > grace:
			kill(o.record.PID)
		}
	}
	kill(o.record.PID)
}
