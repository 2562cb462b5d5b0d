package cli

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/liveness"
	"brenner/internal/session"
)

func newPs(a *app) *cobra.Command {
	var watch bool
	var every time.Duration
	cmd := &cobra.Command{
		Use:   "ps [T]",
		Short: "Say what every agent is doing, now",
		Long: `List the agents of a session, or of all sessions that are not complete: the verdict about each, its round, how long
it may still take, when its program last printed something, how busy the program and all it started are, its last line,
and the tokens and dollars that its own output tells. Those that need somebody come first. What this machine cannot
know is left empty: programs elsewhere are judged by what they do. --watch looks again every two seconds.`,
		Example:           "  brenner ps\n  brenner ps RS-20260110-cells-turn --watch",
		Args:              between(nil, "T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "go on until Ctrl-C")
	cmd.Flags().DurationVar(&every, "every", 2*time.Second, "with --watch: look again after this `TIME`")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if watch && a.flags.json {
			return nil, usageFor(cmd, "--watch is for people; a script calls brenner ps --json again")
		}
		if every < 100*time.Millisecond {
			return nil, usageFor(cmd, "--every takes a time of at least 100ms")
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			thread := ""
			if len(args) > 0 {
				thread = args[0]
			}
			look := func(ctx context.Context) (report, error) { return a.processes(ctx, p, thread) }
			if watch {
				return streamed{}, a.watchReport(ctx, every, look)
			}
			if _, err := look(ctx); err != nil { // how busy a program is takes two looks
				return nil, err
			}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(betweenLooks):
			}
			return look(ctx)
		})(ctx, args)
	})
}

// betweenLooks is how long two looks at a program are apart to tell how busy it is.
const betweenLooks = 250 * time.Millisecond

func (a *app) processes(ctx context.Context, p *project.App, thread string) (report, error) {
	if thread == "" {
		found, err := p.Sessions.Activity(ctx, nil)
		return psReport{found, thread}, err
	}
	s, err := p.Sessions.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	found, err := s.Activity(ctx)
	return psReport{found, thread}, err
}

type psReport struct {
	session.Activities
	thread string
}

func (r psReport) show(p *printer) {
	if len(r.Agents) == 0 {
		p.note("no agent is at work")
	}
	rows := make([][]string, 0, len(r.Agents))
	for i := range r.Agents {
		x := &r.Agents[i]
		row := []string{
			x.Agent, x.StateText(), strconv.Itoa(x.Round), cmp.Or(x.LeftText(), "-"), cmp.Or(x.OutputAgeText(), "-"),
			cmp.Or(x.CPUText(), "-"),
			cmp.Or(x.TokensText(), "-"), cmp.Or(x.CostText(), "-"), x.LastLine,
		}
		if r.thread == "" {
			row = append([]string{x.ThreadID}, row...)
		}
		rows = append(rows, row)
	}
	titles := []string{"Agent", "State", "Round?", "Left?", "Quiet?", "CPU?", "Tokens?", "Cost?", "Last line…"}
	if r.thread == "" {
		titles = append([]string{"Session"}, titles...)
	}
	if len(rows) > 0 {
		p.table(columns(titles...), rows)
	}
	for i := range r.Agents {
		if x := &r.Agents[i]; x.Cause != "" {
			p.note("%s: %s", visible(x.Agent), visible(x.Reason))
		}
	}
	if r.Quiet > 0 {
		p.note("%s without a sign for a day left out; name one to see it", count(r.Quiet, "session"))
	}
	r.showNext(p)
}

func (r psReport) showNext(p *printer) {
	for i := range r.Agents {
		if x := &r.Agents[i]; x.State == liveness.Dead || x.State == liveness.Silent {
			p.next("brenner", "todo")
			return
		}
	}
	if len(r.Agents) == 0 {
		p.next("brenner", "session", "list")
		return
	}
	p.next("brenner", "logs", r.Agents[0].ThreadID, r.Agents[0].Agent)
}

// watchReport shows a report again and again, in the place of the one before where that is possible, until the
// context ends.
func (a *app) watchReport(ctx context.Context, every time.Duration, look func(context.Context) (report, error)) error {
	for {
		r, err := look(ctx)
		if err != nil {
			return err
		}
		p := newPrinter(a)
		if p.harmless {
			p.print("\x1b[H\x1b[2J")
		}
		p.print("%s\n", p.now.Local().Format(time.TimeOnly))
		r.show(p)
		if err := p.flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}
