package app

import (
	"context"

	"brenner/internal/process"
	"brenner/internal/tmux"
	"brenner/session"
)

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
