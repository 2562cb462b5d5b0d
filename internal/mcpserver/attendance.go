package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Process is the process that a server runs in.
type Process struct {
	Host    string
	PID     int
	Started time.Time
}

// How soon is written what changed, and how often what merely goes on.
const (
	noteSoon  = 50 * time.Millisecond
	noteEvery = 2 * time.Second
	notePause = 5 * time.Second // for a store that does not answer
	noteKept  = time.Minute     // of an agent that calls no more
	noteMost  = 4096            // agents at once
)

// attendance notes who calls, for verdicts about liveness. Calls only leave word here; one goroutine
// writes, and Close writes what is left. What cannot be written is lost: no call fails for it.
type attendance struct {
	server *Server
	mu     sync.Mutex
	byKey  map[attendeeKey]*attendee
	began  bool // a write has begun
	wake   chan struct{}
}

type attendeeKey struct {
	project *project
	agent   string // its name key
	source  mail.Source
}

// attendee is an agent as it is seen here.
type attendee struct {
	mail.Presence
	calls   []*attended // under way, the latest last
	changed bool        // since it was written
	soon    bool        // that matters
	written time.Time   // by the wall
}

// attended is a call under way.
type attended struct {
	of     *attendee
	tool   string
	thread string    // what it is about; empty: nothing in particular
	until  time.Time // if it waits
}

// attend notes that a call begins. The identity of a connection belongs to the home project; there it
// is the agent that calls, not the one that the call is about: a look into the inbox of another is no sign of that one.
func (c *call) attend(p *project) {
	agents := c.acting
	if c.caller.agent != "" && p == c.server.projects.home {
		agents = []string{c.caller.agent}
	}
	c.attendAs(p, agents...)
}

// attendAs is attend, for agents of which the call itself says who they are.
func (c *call) attendAs(p *project, agents ...string) {
	a := &c.server.attendance
	if c.server.options.Process == nil || len(c.attended) > 0 {
		return
	}
	for _, name := range agents {
		if one := a.enter(p, name, c.caller.source()); one != nil {
			c.attended = append(c.attended, a.begin(one, c.tool, c.about()))
		}
	}
}

// waits notes that a call waits for mail.
func (c *call) waits(patience time.Duration) {
	a := &c.server.attendance
	if len(c.attended) == 0 {
		return
	}
	until := a.now().Add(patience)
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range c.attended {
		one.until = until
		one.of.WaitingUntil, one.of.changed, one.of.soon = until, true, true
	}
	a.stir()
}

// about is the thread that a call names, if it names one.
func (c *call) about() string {
	var thread string
	if json.Unmarshal(c.values["thread_id"], &thread) != nil || len(thread) > maxThread {
		return "" // what is wrong with it is said elsewhere
	}
	return strings.TrimSpace(thread)
}

// maxThread is how long the id of a thread can be (PROTOCOL 2).
const maxThread = 128

// leave notes that a call ended.
func (c *call) leave(ctx context.Context) {
	a := &c.server.attendance
	if len(c.attended) == 0 {
		return
	}
	now, stopping, left := a.now(), c.server.draining.Err() != nil, c.leftBy(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range c.attended {
		who := one.of
		who.calls = slices.DeleteFunc(who.calls, func(other *attended) bool { return other == one })
		who.changed, who.soon = true, who.soon || !one.until.IsZero()
		switch n := len(who.calls); {
		case n > 0: // what else is under way shows; it is dated now, as stores take no earlier state
			last := who.calls[n-1]
			who.LastCall, who.Call, who.Thread, who.CallEnded, who.WaitingUntil = now, last.tool, last.thread, time.Time{}, last.until
		case stopping && !one.until.IsZero(): // cut short by us: its agent still waits, and will ask again
		default:
			who.Call, who.Thread, who.CallEnded, who.WaitingUntil = one.tool, one.thread, now, one.until
			if left && !one.until.IsZero() {
				who.LeftAt = now
			}
		}
	}
	a.stir()
}

// noteListing notes that the program of an agent at the other end of stdio has asked for the tools: it has
// connected, and is about to begin.
func (s *Server) noteListing(ctx context.Context, who caller) {
	if !who.local || who.agent == "" {
		return
	}
	c := &call{arguments: &arguments{}, server: s, caller: who, tool: "tools/list"}
	c.attendAs(s.projects.home, who.agent)
	c.leave(ctx)
	a := &s.attendance
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range c.attended {
		one.of.soon = true
	}
	a.stir()
}

func (a *attendance) now() time.Time {
	if now := a.server.options.Now; now != nil {
		return now()
	}
	return a.server.deps.Home.Mail().Now()
}

// enter finds or makes an attendee; nil if it cannot be one.
func (a *attendance) enter(p *project, name string, source mail.Source) *attendee {
	key := attendeeKey{p, mail.NameKey(strings.TrimSpace(name)), source}
	a.mu.Lock()
	defer a.mu.Unlock()
	found := a.byKey[key]
	if found == nil && len(a.byKey) < noteMost && protocol.ValidAgentName(key.agent) {
		self := a.server.options.Process
		found = &attendee{soon: true, changed: true, Presence: mail.Presence{
			Agent: key.agent, Source: source, Host: self.Host, PID: self.PID, ProcessStarted: self.Started,
		}}
		a.byKey[key] = found
		a.stir()
	}
	return found
}

// leftBy tells whether the client of a call went away before its end. A client that cancels a call is
// still there.
func (c *call) leftBy(ctx context.Context) bool {
	if away := gone(ctx); away != nil {
		select {
		case <-away:
			return true
		default:
			return false
		}
	}
	return ctx.Err() != nil && !c.caller.local // without a session a call ends with its connection
}

func (a *attendance) begin(who *attendee, tool, thread string) *attended {
	now := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	one := &attended{of: who, tool: tool, thread: thread}
	who.calls = append(who.calls, one)
	who.LastCall, who.Call, who.Thread, who.changed = now, tool, thread, true
	who.CallEnded, who.WaitingUntil, who.LeftAt = time.Time{}, time.Time{}, time.Time{}
	a.stir()
	return one
}

// stir wakes the writer, which begins with the first call. The lock is held.
func (a *attendance) stir() {
	if !a.began {
		a.began = a.server.background(a.run)
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// run writes until the server stops. What happens together is written together.
func (a *attendance) run(ctx context.Context) {
	for pause := noteKept; ; {
		select {
		case <-ctx.Done():
			return
		case <-a.wake:
		case <-time.After(pause):
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(noteSoon):
		}
		var list map[*project][]mail.Presence
		list, pause = a.due(time.Now())
		a.write(ctx, list)
	}
}

// due takes what is to be written now, and forgets who calls no more. It says when to look again.
func (a *attendance) due(at time.Time) (list map[*project][]mail.Presence, pause time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list, pause = map[*project][]mail.Presence{}, noteKept
	for key, who := range a.byKey {
		quiet := at.Sub(who.written)
		switch {
		case who.changed && (who.soon || quiet >= noteEvery):
			list[key.project] = append(list[key.project], who.Presence)
			who.changed, who.soon, who.written = false, false, at
		case who.changed:
			pause = min(pause, noteEvery-quiet)
		case len(who.calls) == 0 && quiet > noteKept && key.source == mail.SourceHTTP:
			delete(a.byKey, key)
		}
	}
	return list, pause
}

func (a *attendance) write(ctx context.Context, list map[*project][]mail.Presence) {
	ctx, cancel := context.WithTimeout(ctx, notePause)
	defer cancel()
	for p, present := range list {
		if err := p.mail.NotePresence(ctx, present...); err != nil {
			a.server.options.Logger.Debug("who is there was not noted", "error", err)
		}
	}
}

// end writes that all agents here are gone with this process.
func (a *attendance) end() {
	now := a.now()
	a.mu.Lock()
	list := map[*project][]mail.Presence{}
	for key, who := range a.byKey {
		who.EndedAt = now
		list[key.project] = append(list[key.project], who.Presence)
	}
	clear(a.byKey)
	a.mu.Unlock()
	if len(list) > 0 {
		a.write(context.Background(), list)
	}
}
