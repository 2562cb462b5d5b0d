package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/commandline"
	"brenner/internal/notify"
	"brenner/internal/operator"
	"brenner/internal/session"
)

func newTodo(a *app) *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "todo [T]",
		Short: "List everything that waits for you, each with the command that deals with it",
		Long: `List what waits for the operator in a session, or in all that are not complete, the most urgent first: gates of runs,
programs that wait in their panes, Critical critiques, questions and blockers, dead and silent agents, runs that ended
early or are paused, rejected and pending deltas, lint errors. The terminal view and the web show the same list in the same order.`,
		Example:           "  brenner todo\n  brenner todo RS-20260110-cells-turn --watch",
		Args:              between(nil, "T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "go on until Ctrl-C")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if watch && a.flags.json {
			return nil, usageFor(cmd, "--watch is for people; a script calls brenner todo --json again")
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			thread := ""
			if len(args) > 0 {
				thread = args[0]
			}
			look := func(ctx context.Context) (report, error) {
				list, err := operator.ToDos(ctx, p.Sessions, thread)
				if err != nil {
					return nil, err
				}
				return todoReport{asCommands(list)}, nil
			}
			if watch {
				return streamed{}, a.watched(ctx, p, thread, func(*notify.Notifier) error {
					return a.watchReport(ctx, 2*time.Second, look)
				})
			}
			return look(ctx)
		})(ctx, args)
	})
}

type todoReport struct {
	ToDo []session.ToDo `json:"todo"`
}

func (r todoReport) show(p *printer) {
	if len(r.ToDo) == 0 {
		p.print("nothing waits for you\n")
		p.next("brenner", "ps")
		return
	}
	thread := ""
	for _, t := range r.ToDo {
		if t.ThreadID != thread {
			thread = t.ThreadID
			p.print("%s\n", p.style(styleBold, visible(thread)))
		}
		p.print("  %-8s %s\n           %s\n", t.Kind, visible(t.What), visible(commandline.Of(t.Command)))
	}
	p.hint("%s", visible(commandline.Of(r.ToDo[0].Command)))
}
