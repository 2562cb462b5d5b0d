package app

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/operator"
	"brenner/internal/process"
	"brenner/internal/session"
	"brenner/internal/tmux"
)

// probe looks at the programs of this machine, and at what the runs and cockpits of the project show.
func (a *App) probe() session.Probe {
	a.Programs = operator.New(operator.Options{Root: a.Project.Root, Leases: func() *mail.Service { return a.Mail }})
	p := probe()
	p.Paused, p.Plights, p.Work, p.Run = a.Programs.Paused, a.Programs.Plights, a.Programs.Work, a.Programs.Run
	p.Asked, p.Press = a.Programs.Asked, a.Programs.Press
	return p
}

// probe looks at the programs of this machine: at their processes and, as the last resort, at the
// panes they run in.
func probe() session.Probe {
	return session.Probe{
		Host:    process.Self().Host,
		Process: process.Alive,
		Pane: func(ctx context.Context, pane string) (alive, known bool) {
			life := tmux.Ask(ctx, pane)
			return life == tmux.Alive, life != tmux.Unknown
		},
	}
}
