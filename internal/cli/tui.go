package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/notify"
	"brenner/internal/tui"
)

func newTUI(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tui [T]",
		Short: "Look at sessions in the terminal, live",
		Long: `Show the project in the terminal: sessions with their problems first; of each session its problems, thread,
artifact and agents. The first screen says what everyone does, the next what waits for you. It follows what happens, and works over
ssh in 80 by 24. Keys: j and k move, Enter opens, Esc goes back, Tab turns, / filters, ? shows all keys, q quits. Keys that act
(o output, n nudge, R restart, p pause, c go on, x stop) ask first.`,
		Example:           "  brenner tui\n  brenner tui RS-20260110-cells-turn",
		Args:              between(nil, "T"),
		ValidArgsFunction: a.completeThreads,
	}
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if !a.streams.InIsTerminal || !a.streams.OutIsTerminal {
			return nil, usageFor(cmd, "tui needs a terminal; in a script use brenner session list --json")
		}
		if a.flags.json {
			return nil, usageFor(cmd, "tui prints no JSON; use brenner session list --json")
		}
		return a.inNewProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			a.equip(p)
			o := tui.Options{Sessions: p.Sessions, Hands: hands{a, p}, In: a.streams.In, Out: a.streams.Out, Env: a.terminalEnv()}
			if len(args) == 1 {
				if _, err := p.Sessions.Session(ctx, args[0]); err != nil {
					return nil, err
				}
				o.Thread = args[0]
			}
			return streamed{}, a.watched(ctx, p, o.Thread, func(*notify.Notifier) error { return tui.Run(ctx, o) })
		})(ctx, args)
	})
}

// terminalEnv is the environment as a drawing program reads it: --no-color counts like the variable.
func (a *app) terminalEnv() []string {
	if a.streams.Environ == nil {
		return nil
	}
	env := a.streams.Environ()
	if a.flags.noColor {
		env = append(env, "NO_COLOR=1")
	}
	return env
}
