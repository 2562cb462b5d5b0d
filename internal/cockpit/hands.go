package cockpit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"brenner/internal/proctree"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/tmux"
)

// Glimpse is a pane and what is to be seen in it.
type Glimpse struct {
	Pane
	ThreadID string
	Printed  time.Time // when something last appeared; zero: not known
	LastLine string    // hostile text
	Ref      string    // names pane and program on this machine
	Shown    program.Shown
	SignIn   string // how to sign the program in, if its service does not know it
}

// Glimpses looks at every pane of the project that has a living program. It needs no store.
func (c *Cockpit) Glimpses(ctx context.Context) ([]Glimpse, error) {
	sessions, err := c.Tmux.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var list []Glimpse
	for _, s := range sessions {
		if s.Owner != c.owner() || s.Thread == "" {
			continue
		}
		panes, err := c.Tmux.Panes(ctx, s.ID)
		if err != nil {
			continue // it ended meanwhile
		}
		for i, p := range running(s, panes).Panes {
			g := Glimpse{Pane: p, ThreadID: s.Thread, Printed: panes[i].Printed(), Ref: panes[i].Ref}
			if text, err := c.Tmux.Screen(ctx, p.Pane, 0); err == nil {
				g.LastLine, g.Shown = lastLine(text), program.Read(panes[i].Title, text)
				if g.Shown.SignedOut {
					g.SignIn = program.SignIn(p.Program, g.Shown.Text)
				}
			}
			list = append(list, g)
		}
	}
	return list, nil
}

// lastLine is the last line of a screen that says something.
func lastLine(text string) string {
	for _, line := range slices.Backward(strings.Split(text, "\n")) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// seat finds the pane of an agent. NOT_FOUND: there is none.
func (c *Cockpit) seat(ctx context.Context, threadID, agent string) (tmux.Pane, error) {
	s, ok, err := c.find(ctx, threadID)
	if err != nil {
		return tmux.Pane{}, err
	}
	if !ok {
		return tmux.Pane{}, notRunning(threadID)
	}
	panes, err := c.Tmux.Panes(ctx, s.ID)
	if err != nil {
		return tmux.Pane{}, err
	}
	i := slices.IndexFunc(panes, func(p tmux.Pane) bool { return protocol.SameAgent(p.Agent, agent) })
	if i < 0 {
		return tmux.Pane{}, protocol.Errorf(protocol.NotFound, "%s has no pane in the cockpit of %s", agent, threadID)
	}
	return panes[i], nil
}

// Screen is what the pane of an agent shows, with so many lines above it. It needs no store.
func (c *Cockpit) Screen(ctx context.Context, threadID, agent string, above int) (string, error) {
	p, err := c.seat(ctx, threadID, agent)
	if err != nil {
		return "", err
	}
	return c.Tmux.Screen(ctx, p.ID, above)
}

// Press presses a key in the pane of an agent. It needs no store.
func (c *Cockpit) Press(ctx context.Context, threadID, agent, key string) error {
	p, err := c.seat(ctx, threadID, agent)
	if err != nil {
		return err
	}
	return c.Tmux.Press(ctx, p.ID, key)
}

// Restart ends the program in the pane of an agent, with all that came from it, and starts it again in the same
// place. It tells how many processes were ended.
func (c *Cockpit) Restart(ctx context.Context, threadID, agent string) (int, error) {
	unlock, err := c.lock(ctx, threadID)
	if err != nil {
		return 0, err
	}
	defer unlock()
	p, err := c.seat(ctx, threadID, agent)
	if err != nil {
		return 0, err
	}
	if err := c.Catalog.Trusted(program.Interactive, p.Program); err != nil {
		return 0, err
	}
	file := filepath.Join(c.folder(threadID), p.Agent, "launch.json")
	if _, err := os.Stat(file); err != nil {
		return 0, protocol.Errorf(protocol.NotFound, "what the pane of %s was started with is gone: stop the cockpit and start it again",
			p.Agent).
			Doing(protocol.OnThread("cockpit.stop", threadID).Before(protocol.OnThread("cockpit.start", threadID)))
	}
	ended, err := c.endAgent(ctx, threadID, p)
	if err != nil {
		return ended, err
	}
	whole := context.WithoutCancel(ctx) // a pane is not left empty
	err = c.Tmux.Respawn(whole, p.ID, tmux.Tenant{Dir: c.Project, Args: append(append([]string{}, c.Brenner[0]), "cockpit", "exec", file)})
	if err != nil {
		return ended, err
	}
	again, err := c.seat(whole, threadID, p.Agent)
	if err != nil {
		return ended, err
	}
	return ended, c.note(whole, threadID, []tmux.Pane{again})
}

// endAgent ends the program of one pane and what came from it.
func (c *Cockpit) endAgent(ctx context.Context, threadID string, p tmux.Pane) (int, error) {
	family := proctree.Family{Mark: c.markOf(threadID, p.Agent)}
	if !p.Dead {
		family.Roots = []int{p.PID}
	}
	members, err := family.Members()
	if err != nil {
		return 0, err
	}
	return len(members), errors.Join(family.End(ctx, c.Grace), c.noteEnd(ctx, []tmux.Pane{p}))
}

// Family is the program of an agent in its pane, and what came from it. NOT_FOUND: there is none.
func (c *Cockpit) Family(ctx context.Context, threadID, agent string) (proctree.Family, error) {
	p, err := c.seat(ctx, threadID, agent)
	if err == nil && p.Dead {
		err = protocol.Errorf(protocol.NotFound, "the program of %s has ended: start it again", p.Agent).
			Doing(protocol.OfAgent("restart", threadID, p.Agent))
	}
	return proctree.Family{Roots: []int{p.PID}, Mark: c.markOf(threadID, p.Agent)}, err
}

// markOf is the whole variable that only what came from one agent's pane has: the name of an agent may begin
// with another's.
func (c *Cockpit) markOf(threadID, agent string) string {
	return c.Mark(threadID) + strings.ToLower(agent) + "\x00"
}
