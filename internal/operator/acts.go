package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/proctree"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// Restarted is what starting an agent again came to.
type Restarted struct {
	ThreadID string        `json:"thread_id"`
	Agent    string        `json:"agent"`
	Where    session.Place `json:"where"`
	Ended    int           `json:"ended"`   // processes
	Started  bool          `json:"started"` // false: the next run starts it
	Why      string        `json:"why"`     // it was not started; empty: it was
	Round    int           `json:"round"`
}

// Restart ends the program of an agent and has it started again: in its pane if it has one, else in its round.
func (s *Programs) Restart(ctx context.Context, threadID, agent string) (Restarted, error) {
	done := Restarted{ThreadID: threadID, Agent: agent, Where: session.InCockpit}
	if s.seated(ctx, threadID, agent) {
		c, err := s.options.Cockpit()
		if err != nil {
			return done, err
		}
		done.Ended, err = c.Restart(ctx, threadID, agent)
		done.Started = err == nil
		return done, err
	}
	done.Where = session.InRun
	running, err := s.running(ctx, threadID)
	if err != nil {
		return done, err
	}
	again, err := runner.Restart(ctx, runner.RestartOptions{Root: s.options.Root, ThreadID: threadID, Agent: agent, Running: running})
	done.Agent, done.Round, done.Started = cmp.Or(again.Agent, agent), again.Round, again.Running
	done.Why = again.Why
	if again.Ended {
		done.Ended = 1
	}
	return done, err
}

// seated tells whether an agent has a pane.
func (s *Programs) seated(ctx context.Context, threadID, agent string) bool {
	return slices.ContainsFunc(s.panesNow(ctx), func(g pane) bool { return g.thread == threadID && protocol.SameAgent(g.agent, agent) })
}

type pane struct{ thread, agent string }

func (s *Programs) panesNow(ctx context.Context) []pane {
	s.mu.Lock()
	s.looked = s.looked.Add(-glimpseFor) // forget the last look: an act concerns the panes that are there now
	s.mu.Unlock()
	var list []pane
	for _, g := range s.panes(ctx) {
		list = append(list, pane{g.ThreadID, g.Agent})
	}
	return list
}

// Pause suspends the program of an agent, with all that came from it; Resume lets it go on. Its
// deadline is not moved. Both tell how many processes that were. NOT_FOUND: no program of it runs here. NOT_ALLOWED: it
// does not stay stopped, as in a pane: tmux lets its programs go on.
func (s *Programs) Pause(ctx context.Context, threadID, agent string) (int, error) {
	f, err := s.family(ctx, threadID, agent)
	if err != nil {
		return 0, err
	}
	n, err := f.Pause()
	if err != nil {
		return 0, err
	}
	time.Sleep(settling)
	if usages, err := proctree.Usages(f.Roots); err == nil && !usages[f.Roots[0]].Stopped {
		_, _ = f.Resume() // nothing is left half stopped
		return 0, protocol.Errorf(protocol.NotAllowed,
			"%s cannot be paused where it runs: tmux lets the programs in its panes go on; the key Escape interrupts most of them", agent).
			Doing(protocol.OfAgent("nudge", threadID, agent).Giving("key"))
	}
	return n, nil
}

// settling is how long it may take until it shows that a program does not stay stopped.
const settling = 200 * time.Millisecond

// Resume is the opposite of Pause.
func (s *Programs) Resume(ctx context.Context, threadID, agent string) (int, error) {
	f, err := s.family(ctx, threadID, agent)
	if err != nil {
		return 0, err
	}
	return f.Resume()
}

func (s *Programs) family(ctx context.Context, threadID, agent string) (proctree.Family, error) {
	if s.seated(ctx, threadID, agent) {
		c, err := s.options.Cockpit()
		if err != nil {
			return proctree.Family{}, err
		}
		return c.Family(ctx, threadID, agent)
	}
	state, _, err := runner.Look(s.options.Root, threadID)
	if err != nil {
		return proctree.Family{}, err
	}
	for i := range state.Agents {
		if a := &state.Agents[i]; protocol.SameAgent(a.Agent, agent) && a.AtWork() {
			return proctree.Family{Roots: []int{a.PID}}, nil
		}
	}
	return proctree.Family{}, notHere(threadID, agent)
}

func notHere(threadID, agent string) error {
	return protocol.Errorf(protocol.NotFound, "no program of %s runs for %s on this machine: look at what does", agent, threadID).
		Doing(protocol.OnThread("ps", threadID))
}

// Log is where to read what an agent's program printed.
type Log struct {
	Where  session.Place
	Round  int
	Output string // files; empty for a pane
	Errors string
	Screen string // what a pane shows, with what went over its upper edge
}

// linesAbove is how much of a pane's past is shown.
const linesAbove = 2000

// Log finds what an agent's program printed: in a round (0: the latest), or in its pane. NOT_FOUND: there is nothing.
func (s *Programs) Log(ctx context.Context, threadID, agent string, round int) (Log, error) {
	if round == 0 && s.seated(ctx, threadID, agent) {
		c, err := s.options.Cockpit()
		if err != nil {
			return Log{}, err
		}
		text, err := c.Screen(ctx, threadID, agent, linesAbove)
		if text = strings.TrimRight(text, "\n "); text != "" {
			text += "\n"
		}
		return Log{Where: session.InCockpit, Screen: text}, err
	}
	l, err := runner.FindLog(s.options.Root, threadID, agent, round)
	if errors.Is(err, os.ErrNotExist) {
		return Log{}, notHere(threadID, agent)
	}
	return Log{Where: session.InRun, Round: l.Round, Output: l.Output, Errors: l.Errors}, err
}

// Nudge sends an agent a message that says what it owes in a session, which wakes it if it waits for mail.
func Nudge(ctx context.Context, s *session.Sessions, threadID, agent, as, note string) (mail.Message, error) {
	of, err := s.Session(ctx, threadID)
	if err != nil {
		return mail.Message{}, err
	}
	verdicts, err := of.Liveness(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	i := slices.IndexFunc(verdicts, func(v liveness.Verdict) bool { return protocol.SameAgent(v.Agent, agent) })
	if i < 0 {
		return mail.Message{}, protocol.Errorf(protocol.UnknownAgent, "%s takes no part in %s", agent, threadID)
	}
	v := verdicts[i]
	var b strings.Builder
	fmt.Fprintf(&b, "# How does it go?\n\nThe operator asks about %s.\n", threadID)
	if text := message.Contain(note); text != "" {
		b.WriteString("\n" + text + "\n")
	}
	owed := 0
	for _, e := range v.Evidence {
		if e.Fact == "owed" {
			if owed++; owed == 1 {
				b.WriteString("\n## What is owed\n\n")
			}
			fmt.Fprintf(&b, "- %s\n", e.Value)
		}
	}
	b.WriteString("\nContribute with `brenner_submit`, or say what is in the way with a BLOCKED or QUESTION message.\n")
	no := false
	sent, err := s.Mail().Send(ctx, mail.Outgoing{Draft: message.Draft{
		ThreadID: threadID, From: as, To: []string{v.Agent}, Subject: "INFO: How does it go?", Body: b.String(), AckRequired: &no,
		Importance: message.High,
	}})
	return sent.Message, err
}

// Press presses a key in the pane of an agent, or answers with it what its program asks in a round. NOT_FOUND: it has no pane, and asks
// for nothing. It is session.Probe's.
func (s *Programs) Press(ctx context.Context, threadID, agent, key string) (session.Place, error) {
	if !s.seated(ctx, threadID, agent) {
		return session.InRun, runner.Answer(s.options.Root, threadID, agent, key)
	}
	c, err := s.options.Cockpit()
	if err != nil {
		return session.InCockpit, err
	}
	return session.InCockpit, c.Press(ctx, threadID, agent, key)
}
