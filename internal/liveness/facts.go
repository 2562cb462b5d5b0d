package liveness

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Life is what a look at a process or pane told.
type Life string

// The answers.
const (
	Alive   Life = "alive"
	Gone    Life = "dead"
	Unclear Life = "unknown" // it cannot be looked at: on another machine, or not permitted
)

// Facts is all that is known of an agent.
type Facts struct {
	Agent     string
	Retired   time.Time // zero while it takes part
	Processes []Process // in any order
	LastSent  time.Time // when it last sent mail; zero: never
	SentOn    string    // the thread of that mail; empty: none, or not known
	LastRead  time.Time // when it last read or acknowledged some of what is asked of it
	ReadOn    string    // the thread of that
	Done      []Done    // the calls to a round that it has answered
	Debts     []Debt
	Leases    []Lease // that are held
	Plights   []Plight
	Complete  bool // the session that is asked about is complete
}

// Plight is something in which a program cannot help itself, as it says.
type Plight struct {
	State   State     `json:"state"`   // Asks, SignedOut or Failing
	Text    string    `json:"text"`    // what it says: hostile text
	Choices []Choice  `json:"choices"` // what answers it; empty: that is not known
	Since   time.Time `json:"-"`
	Pane    string    `json:"pane"` // where it can be answered; empty: where the program was started
	Thread  string    `json:"-"`
	Past    bool      `json:"-"` // it was told then; what the agent does later shows that it is over
	Over    bool      `json:"-"` // the program ended of it
}

// Choice is a key that answers a program, and what it means there.
type Choice struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Done is a contribution to a round that the agent was called to.
type Done struct {
	Thread string
	At     time.Time
}

// On returns the facts that count in one session: what the agent does for others, and owes to others,
// says nothing here. What is about no thread in particular counts everywhere.
func (f Facts) On(thread string) Facts {
	here := func(other string) bool { return other == "" || other == thread }
	f.Processes = slices.DeleteFunc(slices.Clone(f.Processes), func(p Process) bool { return p.Life != Alive && !here(p.Thread) })
	for i := range f.Processes {
		if p := &f.Processes[i]; !here(p.Thread) { // that the program lives counts, what it does there does not
			p.Started, p.Called, p.CallEnded, p.WaitingUntil, p.Left, p.Due, p.Round = time.Time{}, time.Time{}, time.Time{}, time.Time{},
				time.Time{}, time.Time{}, false
			if p.Source == "run" {
				p.Own = false // it was started for another session
			}
		}
	}
	f.Debts = slices.DeleteFunc(slices.Clone(f.Debts), func(d Debt) bool { return d.Thread != thread })
	f.Done = slices.DeleteFunc(slices.Clone(f.Done), func(d Done) bool { return d.Thread != thread })
	f.Plights = slices.DeleteFunc(slices.Clone(f.Plights), func(p Plight) bool { return !here(p.Thread) })
	if !here(f.SentOn) {
		f.LastSent = time.Time{}
	}
	if !here(f.ReadOn) {
		f.LastRead = time.Time{}
	}
	return f
}

// Process is a program that acts for the agent, and what it did last.
type Process struct {
	Source       string // such as mcp-stdio
	Host         string
	PID          int // 0: none
	Started      time.Time
	Own          bool // it lives and dies with the agent; false: a server that many share, a command
	Round        bool // it was started for a round and is meant to end
	Thread       string
	Due          time.Time // when it will be ended; zero: it may run on
	Paused       bool      // stopped by a person; it goes on when it is let
	Life         Life
	Ended        time.Time // when it was seen to end; zero: it was not
	ExitCode     *int
	Pane         string
	PaneLife     Life
	Call         string
	Called       time.Time // when the last call began
	CallEnded    time.Time // zero while it is under way
	WaitingUntil time.Time // how long that call waits for mail; zero if it does not wait
	Left         time.Time // when its client went away in the middle of that call; zero: it did not
}

// Debt is something that the agent was asked for and has not done.
type Debt struct {
	Message  int64
	Thread   string
	What     Kind
	Call     bool      // it is about a call to a round: a contribution is asked for, whatever else is
	Since    time.Time // when it was asked for
	Fetched  time.Time // when the agent fetched the message; zero: not yet
	Deadline time.Time // zero: none
}

// Kind is what is owed.
type Kind string

// The kinds.
const (
	Acknowledgement Kind = "an acknowledgement"
	Contribution    Kind = "a contribution"
)

// Lease is a file reservation that is held.
type Lease struct {
	Path    string
	Taken   time.Time
	Expires time.Time
}

// The spans of time that the rules speak of.
const (
	Recent      = 2 * time.Minute  // a call or message this fresh is work
	AfterWait   = 30 * time.Second // who waited in vain calls again within this
	Seen        = 30 * time.Minute // who was heard of within this is there
	LongestWait = 5 * time.Minute  // no wait is longer, whatever was written
	Connecting  = time.Minute      // a program that was started connects within this
	Skew        = time.Minute      // clocks of two machines differ by less
	slack       = 5 * time.Second  // what was done just before an end may be written just after it
)

// believable brings a time of another clock to ours: a little ahead is now, far ahead is nothing.
func believable(t, now time.Time) time.Time {
	switch {
	case !t.After(now):
		return t
	case t.Sub(now) <= Skew:
		return now
	}
	return time.Time{}
}

// normalised returns the facts in one order, with times that the clock allows.
func (f Facts) normalised(now time.Time) Facts {
	f.LastSent, f.LastRead = believable(f.LastSent, now), believable(f.LastRead, now)
	f.Processes = slices.Clone(f.Processes)
	for i := range f.Processes {
		p := &f.Processes[i]
		if p.WaitingUntil.After(p.Called.Add(LongestWait)) && !p.Round { // a round may rest for longer
			p.WaitingUntil = p.Called.Add(LongestWait)
		}
		open := p.CallEnded.IsZero()
		p.Started, p.Called, p.CallEnded = believable(p.Started, now), believable(p.Called, now), believable(p.CallEnded, now)
		p.Left = believable(p.Left, now)
		if p.Called.IsZero() || !open && p.CallEnded.IsZero() { // its clock is wrong: there is no telling what it does
			p.Called, p.CallEnded, p.WaitingUntil, p.Call = time.Time{}, time.Time{}, time.Time{}, ""
		}
		if !p.Ended.IsZero() {
			p.Life = Gone // its end was observed, whatever the observer's clock says
			p.Ended = earlier(p.Ended, now)
		}
	}
	slices.SortFunc(f.Processes, func(a, b Process) int {
		return cmp.Or(b.seen().Compare(a.seen()), strings.Compare(a.Source, b.Source), strings.Compare(a.Host, b.Host),
			cmp.Compare(a.PID, b.PID), b.Started.Compare(a.Started), strings.Compare(a.Call, b.Call), strings.Compare(a.Pane, b.Pane))
	})
	f.Plights = slices.Clone(f.Plights)
	for i := range f.Plights {
		f.Plights[i].Since = earlier(f.Plights[i].Since, now)
	}
	slices.SortFunc(f.Plights, func(a, b Plight) int { // the one that can be answered first, then the latest
		return cmp.Or(cmp.Compare(len(b.Choices), len(a.Choices)), strings.Compare(b.Pane, a.Pane), b.Since.Compare(a.Since),
			strings.Compare(string(a.State), string(b.State)), strings.Compare(a.Text, b.Text))
	})
	f.Debts = slices.Clone(f.Debts)
	slices.SortFunc(f.Debts, func(a, b Debt) int {
		return cmp.Or(a.Deadline.Compare(b.Deadline), cmp.Compare(a.Message, b.Message), strings.Compare(string(a.What), string(b.What)))
	})
	return f
}

// life is what is known of the process, by its pane if there is no other way.
func (p *Process) life() Life {
	if p.Life == Alive || p.Life == Gone {
		return p.Life
	}
	if p.Pane != "" && (p.PaneLife == Alive || p.PaneLife == Gone) {
		return p.PaneLife
	}
	return Unclear
}

// seen is the last sign of the agent here.
func (p *Process) seen() time.Time {
	return later(later(p.Started, p.Called), later(p.CallEnded, p.Ended))
}

// acted is the last thing the agent did here.
func (p *Process) acted() time.Time { return later(p.Called, p.CallEnded) }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
