package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// Turns finds what the programs of a thread's runs did, in the order of rounds, agents and attempts.
type Turns interface {
	// List returns the turns without their steps; round 0 and an empty agent mean all.
	List(thread string, round int, agent string) ([]Turn, error)
	// Read returns those of an agent in a round with their steps, as far as an answer has room for them.
	Read(thread string, round int, agent string) ([]Turn, error)
	// Wrote returns the round in which an agent's program wrote a message of a time; 0: in none.
	Wrote(thread, agent string, at time.Time) int
	// Ran tells whether anything is kept of a thread.
	Ran(thread string) bool
}

// Turn is one attempt of an agent's program at a round.
type Turn struct {
	Round, Attempt int
	Agent, Program string
	Ended          string // how; empty: it is at work, or its end was not seen
	Begun          time.Time
	Called, Failed int // tools
	turn.Turn
}

func turnURL(thread string, round int, agent string) string {
	return fmt.Sprintf("%s/turns/%d/%s", threadURL(thread), round, url.PathEscape(agent))
}

// URL is where the turns of the same agent and round are shown.
func (t *Turn) URL(thread string) string { return turnURL(thread, t.Round, t.Agent) }

// Calls counts the calls of tools, and those that failed.
func (t *Turn) Calls() string {
	if t.Failed > 0 {
		return fmt.Sprintf("%s, %d failed", protocol.Plural(t.Called, "call"), t.Failed)
	}
	return protocol.Plural(t.Called, "call")
}

// Spent says what the turn cost, as far as its program tells.
func (t *Turn) Spent() string {
	if t.Usage == nil {
		return ""
	}
	text := strconv.FormatInt(t.Usage.Tokens(), 10) + " tokens"
	if t.Usage.Dollars != nil {
		text += fmt.Sprintf(", $%.2f", *t.Usage.Dollars)
	}
	return text
}

// maxStepsShown is how many steps of a turn a page shows, and maxStepText how much of each.
const (
	maxStepsShown = 400
	maxStepText   = 20_000
)

// Shown are the steps that a page has room for.
func (t *Turn) Shown() []turn.Step { return t.Steps[:min(maxStepsShown, len(t.Steps))] }

// Hidden counts the others.
func (t *Turn) Hidden() int { return len(t.Steps) - len(t.Shown()) + t.More }

// turnsPage lists the turns of a thread, or shows those of an agent in a round.
type turnsPage struct {
	ThreadID string
	Round    int    // 0: a list of all
	Agent    string // of the turns shown
	Turns    []Turn
	Text     int // how much of a step is shown
}

func (w *Web) turns(r *http.Request) (view, error) {
	p := turnsPage{ThreadID: r.PathValue("thread"), Agent: r.PathValue("agent"), Text: maxStepText}
	title := "What the programs did"
	if _, err := w.deps.Sessions.Mail().Thread(r.Context(), p.ThreadID); err != nil {
		return view{}, err
	}
	if w.deps.Turns == nil {
		return view{Template: "turns", Title: title, Nav: "sessions", Thread: p.ThreadID, Data: p}, nil
	}
	var err error
	if p.Agent == "" {
		p.Turns, err = w.deps.Turns.List(p.ThreadID, 0, w.onlyTurnsOf(r))
		return view{Template: "turns", Title: title, Nav: "sessions", Thread: p.ThreadID, Data: p}, err
	}
	if p.Round, _ = strconv.Atoi(r.PathValue("round")); p.Round > 0 && w.mayReadTurn(r, p.Agent) {
		p.Turns, err = w.deps.Turns.Read(p.ThreadID, p.Round, p.Agent)
	}
	if err == nil && len(p.Turns) == 0 {
		err = protocol.Errorf(protocol.NotFound, "no turn of %s in round %s is kept", p.Agent, r.PathValue("round"))
	}
	return view{Template: "turns", Title: title + ": " + p.Agent, Nav: "sessions", Thread: p.ThreadID, Data: p}, err
}

// onlyTurnsOf is the agent whose turns a viewer may see, empty for all: prompts are letters to one agent.
func (w *Web) onlyTurnsOf(r *http.Request) string {
	if viewer := w.deps.Viewer(r.Context()); !viewer.Operator {
		return viewer.Name
	}
	return ""
}

func (w *Web) mayReadTurn(r *http.Request, agent string) bool {
	only := w.onlyTurnsOf(r)
	return only == "" || protocol.SameAgent(only, agent)
}

// turnOf leads to the turn in which a message was written; empty: no run wrote it, or nothing is kept of it.
func (w *Web) turnOf(r *http.Request, m *mail.Message) string {
	if m.ThreadID == "" || w.deps.Turns == nil || !w.mayReadTurn(r, m.From) {
		return ""
	}
	if round := w.deps.Turns.Wrote(m.ThreadID, m.From, m.CreatedAt); round > 0 {
		return turnURL(m.ThreadID, round, m.From)
	}
	return ""
}
