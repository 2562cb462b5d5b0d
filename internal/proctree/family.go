package proctree

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// Process is a process that lives.
type Process struct {
	PID     int
	Parent  int
	Session int           // process that leads its session; 0: not known
	Started uint64        // tells it from a later one with the same id, in whatever unit the system has
	CPU     time.Duration // that it and the children it has seen end have used; 0 where the system does not say
	Stopped bool          // by a signal; it goes on when it is let
	marked  bool
}

// identity tells a process from all others.
type identity struct {
	pid     int
	started uint64
}

func (p Process) identity() identity { return identity{p.PID, p.Started} }

// Family is what came from some programs.
type Family struct {
	Roots []int  // processes that live; they and all below them belong to it
	Mark  string // beginning of a NAME=value of the environment that only this family has; empty: none
}

// Members lists the living members, without the process that asks.
func (f Family) Members() ([]Process, error) {
	all, err := snapshot(f.Mark)
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "cannot list processes: %w", err)
	}
	member := map[int]bool{}
	for _, p := range all {
		if p.marked || slices.Contains(f.Roots, p.PID) || p.Session != 0 && slices.Contains(f.Roots, p.Session) {
			member[p.PID] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if member[p.Parent] && !member[p.PID] {
				member[p.PID], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(all, func(p Process) bool { return !member[p.PID] || p.PID == os.Getpid() }), nil
}

// interval is how long End waits before it looks again.
const interval = 20 * time.Millisecond

// End asks all members to end, and after grace makes them; it returns when none is left. What a
// member starts meanwhile is a member. TIMED_OUT: some cannot be ended.
func (f Family) End(ctx context.Context, grace time.Duration) error {
	known := map[identity]bool{} // found once, belongs for good, even when its parents are gone
	tick := time.NewTicker(interval)
	defer tick.Stop()
	began := time.Now()
	for {
		left, err := f.left(known)
		if err != nil || len(left) == 0 {
			return err
		}
		waited := time.Since(began)
		if waited > 2*grace+10*time.Second {
			return protocol.Errorf(protocol.TimedOut, "these processes cannot be ended: %s", pids(left))
		}
		for _, p := range left {
			switch {
			case waited > grace:
				kill(p.PID)
			case waited > grace/2:
				hangUp(p.PID) // what shells hear that are deaf to everything else
			case !known[p.identity()]:
				ask(p.PID)
			}
			known[p.identity()] = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// left lists who is still to be ended.
func (f Family) left(known map[identity]bool) ([]Process, error) {
	members, err := f.Members()
	if err != nil || len(known) == 0 {
		return members, err
	}
	all, err := snapshot("")
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "cannot list processes: %w", err)
	}
	for _, p := range all {
		if known[p.identity()] && !slices.ContainsFunc(members, func(m Process) bool { return m.PID == p.PID }) {
			members = append(members, p)
		}
	}
	return members, nil
}

func pids(list []Process) string {
	var words []string
	for _, p := range list {
		words = append(words, strconv.Itoa(p.PID))
	}
	return strings.Join(words, ", ")
}
