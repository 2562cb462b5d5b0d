package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// neighbour puts mail and sessions on another project of the store. Where its folder is on this machine, its
// own settings apply: acknowledgements, mode, beads, prompts. It has no folder to write to.
func (a *App) neighbour(ctx context.Context, project mail.Project) (*session.Sessions, error) {
	n := &App{Project: Project{Root: project.HumanKey, WorkDir: project.HumanKey}, Store: a.Store}
	settings := session.Settings{Probe: probe()}
	options := mail.Options{Now: a.Mail.Now}
	if n.here() {
		var err error
		if n.Config, n.Findings, err = n.Project.Config(); err != nil {
			return nil, err
		}
		if settings, err = n.settings(); err != nil {
			return nil, err
		}
		settings.PersistEvery = 0 // there is nothing to write to
		options.Mode, options.Acks = mail.Mode(n.Config.Validation), n.acks()
		options.BeadExists = n.beadExists(context.WithoutCancel(ctx)) // it outlives the request
		options.Refused, options.Accepted = runner.NoteRefusals(n.Project.Root), n.checkpoints()
	}
	door := &session.Door{}
	options.Door = door
	n.Mail = mail.NewService(a.Store, project, options)
	sessions := session.New(n.Mail, nil, settings)
	door.Attach(sessions)
	return sessions, nil
}

// here tells whether the folder of the project is on this machine.
func (a *App) here() bool {
	info, err := os.Stat(a.Project.Root)
	return err == nil && info.IsDir()
}

// ackTurns is for how many passes over acknowledgements it stays one server's turn to make them.
const ackTurns = 2

// passAcks makes a pass if it is this server's turn: one of those on a store does it.
func (a *App) passAcks(ctx context.Context, m *mail.Service, every time.Duration) (mail.AckRun, error) {
	mine, err := m.TakeTurn(ctx, time.Now(), "acks", a.node(), ackTurns*every)
	if err != nil || !mine {
		return mail.AckRun{}, err
	}
	return m.RunAcks(ctx)
}

// node tells this server from others.
func (a *App) node() string {
	self := process.Self()
	return fmt.Sprintf("%s %d %d", self.Host, self.PID, self.Started.UnixMicro())
}

// runAcks makes a pass over the overdue acknowledgements of the project, and of the others in its store whose
// folders are on this machine: how long an answer may take elsewhere is not known here.
func (a *App) runAcks(ctx context.Context, every time.Duration) (mail.AckRun, error) {
	run, err := a.passAcks(ctx, a.Mail, every)
	projects, listErr := a.Store.Projects(ctx)
	failures := []error{err, listErr}
	for _, p := range projects {
		if p.ID == a.Mail.Project().ID || !(&App{Project: Project{Root: p.HumanKey}}).here() {
			continue
		}
		sessions, err := a.neighbour(ctx, p)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		more, err := a.passAcks(ctx, sessions.Mail(), every)
		run.Reminders, run.Escalations = append(run.Reminders, more.Reminders...), append(run.Escalations, more.Escalations...)
		failures = append(failures, err)
	}
	return run, errors.Join(failures...)
}
