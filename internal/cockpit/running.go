package cockpit

import (
	"context"

	"brenner/internal/liveness"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/tmux"
)

// Running is a session that runs in tmux.
type Running struct {
	ThreadID string `json:"thread_id"`
	Session  string `json:"session"` // its name in tmux
	Attached int    `json:"attached"`
	Panes    []Pane `json:"panes"`

	id string
}

// Pane is one agent's pane.
type Pane struct {
	Agent    string `json:"agent"`
	Role     string `json:"role"`
	Program  string `json:"program"`
	Pane     string `json:"pane"`
	PID      int    `json:"pid"`
	Alive    bool   `json:"alive"`
	ExitCode *int   `json:"exit_code"` // null while it lives

	State  liveness.State `json:"state"`  // the verdict about the agent; empty: the store was not asked
	Reason string         `json:"reason"` // of that
}

// Judge adds what is known of the agents beyond their panes: a program that waits for an answer of its person
// lives, but does nothing.
func (r *Running) Judge(states []session.AgentState) {
	for i := range r.Panes {
		for _, s := range states {
			if protocol.SameAgent(s.Name, r.Panes[i].Agent) {
				r.Panes[i].State, r.Panes[i].Reason = s.State, s.Reason
			}
		}
	}
}

func running(s tmux.Session, panes []tmux.Pane) Running {
	r := Running{ThreadID: s.Thread, Session: s.Name, Attached: s.Attached, Panes: []Pane{}, id: s.ID}
	for _, p := range panes {
		r.Panes = append(r.Panes, Pane{Agent: p.Agent, Role: p.Role, Program: p.Program, Pane: p.ID, PID: p.PID, Alive: !p.Dead,
			ExitCode: p.ExitCode})
	}
	return r
}

// List shows what runs for the project. It needs no store.
func (c *Cockpit) List(ctx context.Context) ([]Running, error) {
	sessions, err := c.Tmux.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	list := []Running{}
	for _, s := range sessions {
		if s.Owner != c.owner() || s.Thread == "" {
			continue
		}
		panes, err := c.Tmux.Panes(ctx, s.ID)
		if protocol.CodeOf(err) == protocol.NotFound {
			continue // it ended meanwhile
		}
		if err != nil {
			return nil, err
		}
		list = append(list, running(s, panes))
	}
	return list, nil
}

// AttachCommand is the command that shows a thread's session in this terminal; inside is $TMUX. It
// needs no store. NOT_FOUND: none runs.
func (c *Cockpit) AttachCommand(ctx context.Context, threadID, inside string) ([]string, error) {
	s, ok, err := c.find(ctx, threadID)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, notRunning(threadID)
	}
	return c.Tmux.AttachCommand(ctx, s.ID, inside), nil
}

func (c *Cockpit) find(ctx context.Context, threadID string) (tmux.Session, bool, error) {
	sessions, err := c.Tmux.Sessions(ctx)
	s, ok := tmux.Find(sessions, c.owner(), threadID)
	return s, ok, err
}

func notRunning(threadID string) error {
	return protocol.Errorf(protocol.NotFound, "no cockpit runs for %s: start one", threadID).
		Doing(protocol.OnThread("cockpit.start", threadID))
}
