package cockpit

import (
	"context"
	"errors"
	"slices"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/proctree"
	"brenner/internal/protocol"
	"brenner/internal/tmux"
)

// Stopped is what stopping came to.
type Stopped struct {
	ThreadID string   `json:"thread_id"`
	Session  string   `json:"session"` // empty: only processes were left of it
	Agents   []string `json:"agents"`
	Ended    int      `json:"ended"` // processes
}

// Stop ends a session: the programs, everything that came from them, the panes. It returns when no
// process is left. What is left of a tmux session that was closed by hand is ended too.
// NOT_FOUND: nothing runs.
func (c *Cockpit) Stop(ctx context.Context, threadID string) (Stopped, error) {
	unlock, err := c.lock(ctx, threadID)
	if err != nil {
		return Stopped{}, err
	}
	defer unlock()
	s, ok, err := c.find(ctx, threadID)
	if err != nil {
		return Stopped{}, err
	}
	stopped, err := c.end(ctx, threadID, s)
	if err == nil && !ok && stopped.Ended == 0 {
		return Stopped{}, notRunning(threadID)
	}
	return stopped, err
}

// end ends what belongs to a thread. The session may be the zero one.
func (c *Cockpit) end(ctx context.Context, threadID string, s tmux.Session) (Stopped, error) {
	stopped := Stopped{ThreadID: threadID, Session: s.Name, Agents: []string{}}
	family := proctree.Family{Mark: c.Mark(threadID)}
	var panes []tmux.Pane
	if s.ID != "" {
		var err error
		if panes, err = c.Tmux.Panes(ctx, s.ID); err != nil && protocol.CodeOf(err) != protocol.NotFound {
			return stopped, err
		}
	}
	for _, p := range panes {
		stopped.Agents = append(stopped.Agents, p.Agent)
		if !p.Dead { // the number of a dead one may belong to another process by now
			family.Roots = append(family.Roots, p.PID)
		}
	}
	members, err := family.Members()
	if err != nil {
		return stopped, err
	}
	if err := family.End(ctx, c.Grace); err != nil {
		return stopped, err
	}
	stopped.Ended = len(members)
	if s.ID != "" {
		err = c.Tmux.Kill(ctx, s.ID)
	}
	return stopped, errors.Join(err, c.noteEnd(ctx, panes), c.removeFiles(threadID))
}

// noteEnd tells the store that the programs ended because a person stopped them.
func (c *Cockpit) noteEnd(ctx context.Context, panes []tmux.Pane) error {
	if c.Sessions == nil || len(panes) == 0 {
		return nil
	}
	var names []string
	for _, p := range panes {
		names = append(names, p.Agent)
	}
	known, err := c.mail().Presences(ctx, names...)
	if err != nil {
		return foreign(err)
	}
	var ended []mail.Presence
	for _, k := range known {
		ours := k.Source == mail.SourceCockpit && k.Host == process.Self().Host && k.EndedAt.IsZero() &&
			slices.ContainsFunc(panes, func(p tmux.Pane) bool { return p.PID == k.PID })
		if ours {
			k.EndedAt = c.mail().Now()
			ended = append(ended, k)
		}
	}
	return foreign(c.mail().NotePresence(ctx, ended...))
}

// foreign forgives a foreign server that it cannot remember programs.
func foreign(err error) error {
	if protocol.CodeOf(err) == protocol.NotAllowed {
		return nil
	}
	return err
}
