package cockpit

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/tmux"
)

// Typing says whether a pane may be typed into.
type Typing uint8

// The choices; nothing is typed unless asked for.
const (
	NeverType Typing = iota
	TypePrompts
)

// Start starts a plan: a tmux session with one pane for each agent. All or nothing. CONFLICT: it runs
// already, or another process plays its agents. PROGRAM_MISSING: see Plan.Missing. NOT_TRUSTED: see program.Catalog.
func (c *Cockpit) Start(ctx context.Context, p Plan, typing Typing) (Running, error) {
	if err := program.Refusal(p.Missing); err != nil {
		return Running{}, err
	}
	for _, pane := range p.Panes {
		if err := c.Catalog.Trusted(program.Interactive, pane.Program); err != nil {
			return Running{}, err
		}
	}
	unlock, err := c.lock(ctx, p.ThreadID)
	if err != nil {
		return Running{}, err
	}
	defer unlock()
	s, err := c.Tmux.Create(ctx, tmux.Wish{Thread: p.ThreadID, Owner: c.owner(), Dir: c.Project})
	if err != nil {
		return Running{Session: s.Name, ThreadID: p.ThreadID}, err
	}
	running := Running{}
	if err = c.free(ctx, p.ThreadID); err == nil {
		running, err = c.populate(ctx, s, p, typing)
	}
	if err != nil {
		whole := context.WithoutCancel(ctx) // an interrupt leaves nothing half-done
		_, stopErr := c.end(whole, p.ThreadID, s)
		return Running{}, errors.Join(err, stopErr)
	}
	return running, nil
}

func (c *Cockpit) free(ctx context.Context, threadID string) error {
	if c.Free == nil {
		return nil
	}
	return c.Free(ctx, threadID)
}

func (c *Cockpit) lock(ctx context.Context, threadID string) (func(), error) {
	if threadID == "" || protocol.HasErrors(protocol.CheckMailThreadID(threadID)) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no thread %q", threadID)
	}
	locks := filepath.Join(c.Project, ".brenner", "cockpit-locks")
	if err := c.privateFolders(c.home(), locks); err != nil {
		return nil, err
	}
	return lock(ctx, filepath.Join(locks, threadID))
}

func (c *Cockpit) populate(ctx context.Context, s tmux.Session, p Plan, typing Typing) (Running, error) {
	var tenants []tmux.Tenant
	for _, pane := range p.Panes {
		file, err := prepare(c.folder(p.ThreadID), pane)
		if err != nil {
			return Running{}, err
		}
		tenants = append(tenants, tmux.Tenant{
			Agent: pane.Agent, Role: string(pane.Role), Program: pane.Program, Dir: c.Project,
			Args: append(append([]string{}, c.Brenner[0]), "cockpit", "exec", file),
		})
	}
	if err := c.Tmux.Fill(ctx, s.ID, tenants); err != nil {
		return Running{}, err
	}
	panes, err := c.Tmux.Panes(ctx, s.ID)
	if err != nil {
		return Running{}, err
	}
	if err := c.note(ctx, p.ThreadID, panes); err != nil {
		return Running{}, err
	}
	if typing == TypePrompts {
		err = c.typePrompts(ctx, p, panes)
	}
	return running(s, panes), err
}

// note tells the store who runs where, so that every verdict about an agent knows its pane.
func (c *Cockpit) note(ctx context.Context, threadID string, panes []tmux.Pane) error {
	var list []mail.Presence
	for _, p := range panes {
		list = append(list, mail.Presence{
			Agent: p.Agent, Source: mail.SourceCockpit, Host: process.Self().Host, PID: p.PID,
			ProcessStarted: process.Started(ctx, p.PID), Pane: p.Ref, Thread: threadID,
		})
	}
	return foreign(c.mail().NotePresence(ctx, list...))
}

func (c *Cockpit) typePrompts(ctx context.Context, p Plan, panes []tmux.Pane) error {
	for _, plan := range p.Panes {
		for _, pane := range panes {
			if pane.Agent == plan.Agent && plan.Typed != "" {
				if err := c.Tmux.Type(ctx, pane.ID, plan.Typed); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (c *Cockpit) removeFiles(threadID string) error {
	if err := os.RemoveAll(c.folder(threadID)); err != nil {
		return protocol.Errorf(protocol.Unwritable, "cannot remove %s: %w", c.folder(threadID), err)
	}
	return nil
}
