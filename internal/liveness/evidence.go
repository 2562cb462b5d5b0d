package liveness

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// The weights of facts: what was seen directly before what has to be interpreted.
const (
	weighsProcess = 100
	weighsPlight  = 90
	weighsCall    = 80
	weighsWait    = 70
	weighsDebt    = 60
	weighsRetired = 50
	weighsMail    = 40
	weighsLease   = 20
	weighsPane    = 10
)

// evidence lists all facts, the weightiest first.
func (s *survey) evidence() []Evidence {
	list := []Evidence{}
	add := func(fact string, weight int, at time.Time, format string, args ...any) {
		list = append(list, Evidence{Fact: fact, Value: fmt.Sprintf(format, args...), At: Instant{at}, Weight: weight})
	}
	for i := range s.Processes {
		s.Processes[i].testify(s.now, add)
	}
	for i := range s.Plights {
		add("plight", weighsPlight, s.Plights[i].Since, "%s: %s", s.Plights[i].State, s.Plights[i].Said())
	}
	for _, d := range s.Debts {
		state := "not fetched yet"
		if !d.Fetched.IsZero() {
			state = "fetched " + ago(s.now, d.Fetched)
		}
		due := "without a deadline"
		if !d.Deadline.IsZero() {
			due = "due " + (Instant{d.Deadline}).String()
			if s.now.After(d.Deadline) {
				due += ", overdue"
			}
		}
		add("owed", weighsDebt, d.Since, "%s for message %d (%s), %s, %s", d.What, d.Message, orNone(d.Thread), due, state)
	}
	if !s.Retired.IsZero() {
		add("retired", weighsRetired, s.Retired, "retired %s", ago(s.now, s.Retired))
	}
	if !s.LastSent.IsZero() {
		add("mail", weighsMail, s.LastSent, "last sent or registered %s", ago(s.now, s.LastSent))
	}
	if !s.LastRead.IsZero() {
		add("mail", weighsMail, s.LastRead, "last read or acknowledged %s", ago(s.now, s.LastRead))
	}
	for _, l := range s.Leases {
		add("lease", weighsLease, l.Taken, "holds %s until %s", l.Path, Instant{l.Expires})
	}
	slices.SortStableFunc(list, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), b.At.Compare(a.At.Time))
	})
	return list
}

func orNone(thread string) string {
	if thread == "" {
		return "no thread"
	}
	return thread
}

// testify says what one process shows.
func (p *Process) testify(now time.Time, add func(fact string, weight int, at time.Time, format string, args ...any)) {
	switch {
	case !p.Own && p.life() == Gone && p.PID > 0: // it says nothing of the agent
		add("process", 0, p.Ended, "the server %s, which served it, ended", p.name())
	case p.Own && p.Life == Gone:
		add("process", weighsProcess, p.Ended, "%s %s", p.name(), p.death(now))
	case p.Own && p.Life == Alive && p.Paused:
		add("process", weighsProcess, time.Time{}, "%s is paused", p.name())
	case p.Own && p.Life == Alive && !p.Due.IsZero():
		add("process", weighsProcess, time.Time{}, "%s lives, until %s", p.name(), Instant{p.Due})
	case p.Own && p.Life == Alive:
		add("process", weighsProcess, time.Time{}, "%s lives", p.name())
	case p.Own:
		add("process", weighsProcess/2, p.seen(), "%s cannot be looked at from here", p.name())
	}
	p.testifyCall(now, add)
	switch {
	case p.Pane == "":
	case p.PaneLife == Alive || p.PaneLife == Gone:
		add("pane", weighsPane, time.Time{}, "%s: %s", p.Pane, p.PaneLife)
	case p.Life == Alive || p.Life == Gone:
		add("pane", weighsPane, time.Time{}, "%s, not asked: its process tells", p.Pane)
	default:
		add("pane", weighsPane, time.Time{}, "%s cannot be asked from here", p.Pane)
	}
}

// testifyCall says what the last call shows.
func (p *Process) testifyCall(now time.Time, add func(fact string, weight int, at time.Time, format string, args ...any)) {
	switch {
	case p.Called.IsZero():
	case !p.WaitingUntil.IsZero() && p.CallEnded.IsZero() && p.Left.IsZero():
		add("wait", weighsWait, p.Called, "%s over %s until %s", p.Call, p.Source, Instant{p.WaitingUntil})
	case !p.WaitingUntil.IsZero() && p.Left.IsZero():
		add("wait", weighsWait, p.Called, "%s over %s, ended %s", p.Call, p.Source, ago(now, p.CallEnded))
	case !p.Left.IsZero():
		add("call", weighsCall, p.Left, "%s over %s, its client went away %s", p.Call, p.Source, ago(now, p.Left))
	case p.CallEnded.IsZero():
		add("call", weighsCall, p.Called, "%s over %s, no end noted", p.Call, p.Source)
	default:
		add("call", weighsCall, p.Called, "%s over %s, ended %s", p.Call, p.Source, ago(now, p.CallEnded))
	}
}

// name is the process for a person.
func (p *Process) name() string {
	switch {
	case p.PID > 0 && p.Host != "":
		return fmt.Sprintf("%s, process %d on %s", p.Source, p.PID, p.Host)
	case p.PID > 0:
		return fmt.Sprintf("%s, process %d", p.Source, p.PID)
	}
	return p.Source
}

// death says how a process ended.
func (p *Process) death(now time.Time) string {
	code := ""
	if p.ExitCode != nil {
		code = fmt.Sprintf(" with code %d", *p.ExitCode)
	}
	switch {
	case !p.Ended.IsZero():
		return fmt.Sprintf("ended %s%s", ago(now, p.Ended), code)
	case p.Life != Gone:
		return "ended, as its pane shows"
	}
	return "is not there any more" + code
}

// ago says how long ago a moment was.
func ago(now, t time.Time) string {
	d := now.Sub(t)
	switch {
	case d < time.Second:
		return "just now"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s ago", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return fmt.Sprintf("%d days ago", d/(24*time.Hour))
}
