package cli

import (
	"context"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/liveness"
)

func newCockpitList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "List the sessions that run in tmux, with their panes",
		Example: "  brenner cockpit list",
		Args:    exactly(),
	}, func(ctx context.Context, _ []string) (report, error) {
		c, err := a.bareCockpit(ctx)
		if err != nil {
			return nil, err
		}
		list, err := c.List(ctx)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 { // what tmux says is true without the store too
			_, _ = a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
				for i := range list {
					if s, err := p.Sessions.Session(ctx, list[i].ThreadID); err == nil {
						if states, err := s.States(ctx); err == nil {
							list[i].Judge(states)
						}
					}
				}
				return nil, nil
			})(ctx, nil)
		}
		return cockpitsReport{list}, nil
	})
}

type cockpitsReport struct {
	Sessions []cockpit.Running `json:"sessions"`
}

func (r cockpitsReport) show(p *printer) {
	if len(r.Sessions) == 0 {
		p.note("nothing runs")
		p.hint("brenner session list, then brenner cockpit start T")
		return
	}
	for _, s := range r.Sessions {
		p.print("%s: tmux session %s, shown in %s\n", p.style(styleBold, visible(s.ThreadID)), visible(s.Session),
			count(s.Attached, "terminal"))
		p.panes(s)
	}
	p.next("brenner", "cockpit", "attach", r.Sessions[0].ThreadID)
}

// panes prints who sits where.
func (p *printer) panes(r cockpit.Running) {
	var rows [][]string
	for _, pane := range r.Panes {
		state := "alive"
		if !pane.Alive {
			state = "dead"
		}
		if pane.ExitCode != nil {
			state += ", exit code " + strconv.Itoa(*pane.ExitCode)
		}
		rows = append(rows, []string{pane.Agent, pane.Role, pane.Program, pane.Pane, strconv.Itoa(pane.PID), state})
	}
	p.table(columns("Agent", "Role?", "Program", "Pane?", "Process?", "State"), rows)
	for _, pane := range r.Panes {
		if pane.Alive && (pane.State == liveness.Silent || pane.State == liveness.Dead) {
			p.note("  %s: %s", visible(pane.Agent), visible(pane.Reason))
		}
	}
}

func newCockpitStop(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "stop T",
		Short: "End the agents of a session and everything they started",
		Long: `End the programs in the panes of a session, whatever they started, and the panes. Programs are asked
first; what does not end within three seconds is made to. When the command returns, no process is left.`,
		Example:           "  brenner cockpit stop RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, a.working("ending programs", a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		signal.Ignore(syscall.SIGHUP) // the terminal may be one of those that end
		server, err := openTmux()
		if err != nil {
			return nil, err
		}
		c, err := a.cockpitOf(p, server)
		if err != nil {
			return nil, err
		}
		stopped, err := c.Stop(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return stoppedReport{stopped}, nil
	})))
}

type stoppedReport struct{ cockpit.Stopped }

func (r stoppedReport) show(p *printer) {
	p.print("%s: ended %s and %s\n", visible(r.ThreadID), count(len(r.Agents), "pane"), processes(r.Ended))
	p.next("brenner", "session", "status", r.ThreadID)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return strconv.Itoa(n) + " processes"
}
