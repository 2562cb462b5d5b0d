package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"brenner/internal/session"
)

// Hands act for the person who looks. Each says in one line what was done.
type Hands interface {
	Restart(ctx context.Context, threadID, agent string) (string, error)
	Pause(ctx context.Context, threadID, agent string) (string, error)
	Resume(ctx context.Context, threadID, agent string) (string, error)
	Nudge(ctx context.Context, threadID, agent string) (string, error)
	Tell(ctx context.Context, threadID string, word session.Word) (string, error)
	Log(ctx context.Context, threadID, agent string) (string, error) // what its program printed: hostile text
}

// target is what a row is about, for those who act on it.
type target struct {
	thread string // empty: nothing
	agent  string // empty: the session
	paused bool   // the agent's program
}

// act is something that a key asks for and that a yes does.
type act struct {
	question string
	do       func(context.Context) (string, error)
}

// acted is what became of it.
type acted struct{ text string }

// reach acts on the row under the cursor, if the key asks for that.
func (m *model) reach(key string) bool {
	r, ok := m.top().current()
	if !ok || r.of.thread == "" || m.options.Hands == nil {
		return false
	}
	m.asked = m.options.actFor(key, r.of)
	return m.asked != nil
}

// actFor is what a key means for a target; nil: nothing.
func (o *Options) actFor(key string, of target) *act {
	h := o.Hands
	onAgent := func(question string, do func(context.Context, string, string) (string, error)) *act {
		if of.agent == "" {
			return nil
		}
		return &act{fmt.Sprintf(question, of.agent), func(ctx context.Context) (string, error) { return do(ctx, of.thread, of.agent) }}
	}
	tell := func(question string, word session.Word) *act {
		return &act{fmt.Sprintf(question, of.thread), func(ctx context.Context) (string, error) { return h.Tell(ctx, of.thread, word) }}
	}
	switch key {
	case "R":
		return onAgent("Start %s again?", h.Restart)
	case "n":
		return onAgent("Ask %s how it goes?", h.Nudge)
	case "p":
		if of.paused {
			return onAgent("Let %s go on?", h.Resume)
		}
		return onAgent("Pause %s?", h.Pause)
	case "P":
		return tell("Pause the run of %s?", session.WordPause)
	case "c":
		return tell("Let the run of %s go on?", session.WordGo)
	case "x":
		return tell("Stop the run of %s?", session.WordStop)
	}
	return nil
}

// confirm does what was asked for after a yes, and drops it after any other key.
func (m *model) confirm(key string) tea.Cmd {
	a := m.asked
	m.asked = nil
	if key != "y" && key != "Y" {
		m.said = "nothing was done"
		return nil
	}
	m.said = "…"
	return func() tea.Msg {
		text, err := a.do(m.ctx)
		if err != nil {
			text = err.Error()
		}
		return acted{text}
	}
}
