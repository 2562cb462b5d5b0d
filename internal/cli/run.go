package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/runner"
	"brenner/protocol"
)

// runFlags are what a person says about a run.
type runFlags struct {
	rounds              int
	gate, pass          bool
	stop                bool
	reason              string
	deadline, timeout   time.Duration
	grace               time.Duration
	inTurn, skipMissing bool
	programs            []string
	dryRun, full        bool
}

func newRun(a *app) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run T",
		Short: "Play rounds of a session unattended, with the agents' own programs",
		Long: `Play rounds of a session: start the program of each agent that got a KICKOFF, take the deltas that it
mailed or printed, compile, and open the next round with the critiques that are open. A run ends when a
round brings nothing new while lint is clean and no Critical critique is open, after round --rounds, or when a
person says stop: Ctrl-C, brenner run T --stop, or a message 'INFO: Stop the run' on the thread.

Started again, a run goes on where it stood; only one runner or cockpit works on a thread (exit code 6). A stop that
was said while nobody ran ends the next start at once; --stop also ends programs that outlived their runner. What agents
print is kept in .brenner/run/T/round-N/. With --gate a person is asked before each further round; without a
terminal the run ends there with exit code 7, and --go passes that one gate.`,
		Example: "  brenner run RS-20260110-cells-turn --rounds 3\n" +
			"  brenner run RS-20260110-cells-turn --rounds 5 --gate --deadline 20m\n" +
			"  brenner run RS-20260110-cells-turn --program BlueLake=claude-code --dry-run\n" +
			"  brenner run RS-20260110-cells-turn --stop --reason 'H2 is dead anyway'",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	flags := cmd.Flags()
	flags.IntVar(&f.rounds, "rounds", 3, "the number `N` of the last round to play; rounds played before count")
	flags.BoolVar(&f.gate, "gate", false, "ask before each further round")
	flags.BoolVar(&f.pass, "go", false, "pass the gate at which the run waits, and ask again at the next")
	flags.BoolVar(&f.stop, "stop", false, "end the run of this thread, wherever it goes on")
	flags.StringVar(&f.reason, "reason", "", "say why, with --stop")
	flags.DurationVar(&f.deadline, "deadline", 0, "how long an agent may take for a round (default: run.deadline of the project file, else 30m)")
	flags.DurationVar(&f.timeout, "timeout", 0, "end the run after this `TIME` with exit code 8; it can go on later")
	flags.DurationVar(&f.grace, "grace", runner.DefaultGrace, "how long a program may take to end when it is asked to")
	flags.BoolVar(&f.inTurn, "in-turn", false, "let the agents work one after the other, in the order of the roster")
	flags.BoolVar(&f.skipMissing, "skip-missing", false, "play without the agents whose programs are not installed")
	flags.StringArrayVar(&f.programs, "program", nil, "register the program of an agent first, as `AGENT=PROGRAM`; PROGRAM alone is for agents of which nothing is known")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print a line for each agent and start nothing")
	flags.BoolVar(&f.full, "full", false, "with --dry-run: print every command in full, with its prompt")
	a.fromFlag(cmd)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if f.full && !f.dryRun {
			return nil, usageFor(cmd, "--full goes with --dry-run")
		}
		if f.dryRun {
			return a.inProject(a.planRun(f))(ctx, args)
		}
		if f.rounds < 1 || f.deadline < 0 || f.timeout < 0 || f.grace < 0 {
			return nil, usageFor(cmd, "rounds count from 1, and no time is below 0")
		}
		if f.stop {
			return a.inProject(a.stopRun(f))(ctx, args)
		}
		return a.inProject(a.playRun(f))(ctx, args)
	})
}

// stopRun tells the runner, wherever it is.
func (a *app) stopRun(f runFlags) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (report, error) {
		as, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		m, err := runner.Stop(ctx, p.Sessions, args[0], as, f.reason)
		if err != nil {
			return nil, err
		}
		ended, err := runner.EndOrphans(ctx, p.Mail, p.Project.Root, args[0], f.grace)
		return stopReport{ThreadID: m.ThreadID, MessageID: m.ID, Ended: ended}, err
	}
}

type stopReport struct {
	ThreadID  string `json:"thread_id"`
	MessageID int64  `json:"message_id"`
	Ended     int    `json:"ended"` // programs that had outlived their runner
}

func (r stopReport) show(p *printer) {
	p.print("message %d asks the run of %s to end\n", r.MessageID, visible(r.ThreadID))
	if r.Ended > 0 {
		p.print("ended %s that had outlived the runner\n", count(r.Ended, "program"))
	}
	p.next("brenner", "session", "status", r.ThreadID)
}

// playRun plays the rounds.
func (a *app) playRun(f runFlags) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (report, error) {
		as, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		self, err := a.self()
		if err != nil {
			return nil, err
		}
		if err := registerPrograms(ctx, p, args[0], programChoices(f.programs)); err != nil {
			return nil, err
		}
		if f.timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, f.timeout, protocol.Errorf(protocol.TimedOut, "the run took longer than %s", duration(f.timeout)))
			defer cancel()
		}
		o := runner.Options{
			Sessions: p.Sessions, Programs: p.Catalog(), ThreadID: args[0], As: as, Root: p.Project.Root, Store: absoluteStore(a.dsn()), Brenner: self,
			Rounds: f.rounds, Deadline: f.deadline, Grace: f.grace, InTurn: f.inTurn, SkipMissing: f.skipMissing, Tell: a.runTeller(),
		}
		if f.deadline == 0 {
			o.Deadline = p.Config.Run.Deadline
		}
		if f.gate || f.pass {
			o.Gate = a.gate(f)
		}
		o.Free = func(ctx context.Context) error { return a.noCockpit(ctx, p, args[0]) }
		done, err := runner.Run(ctx, o)
		if done.ThreadID == "" {
			return nil, err
		}
		return runReport{Report: done, limit: f.rounds, refusal: refusalOf(err)}, err
	}
}

// noCockpit refuses to play agents that already run in panes: two programs must not speak for one agent.
func (a *app) noCockpit(ctx context.Context, p *project.App, thread string) error {
	server, err := openTmux()
	if err != nil {
		return nil //nolint:nilerr // without tmux there is no cockpit
	}
	c, err := a.cockpitOf(p, server)
	if err != nil {
		return err
	}
	list, err := c.List(ctx)
	if err != nil && protocol.CodeOf(err) != protocol.TmuxFailed {
		return err
	}
	for _, running := range list {
		if running.ThreadID == thread && slices.ContainsFunc(running.Panes, func(p cockpit.Pane) bool { return p.Alive }) {
			return protocol.Errorf(protocol.Conflict, "a cockpit plays the agents of %s; brenner cockpit stop %s ends it", thread, thread)
		}
	}
	return nil
}

// gate asks a person whether the next round is to be played. --go is an answer given beforehand.
func (a *app) gate(f runFlags) func(context.Context, runner.Report, int) (bool, error) {
	passes := 0
	if f.pass {
		passes = 1
	}
	return func(ctx context.Context, r runner.Report, next int) (bool, error) {
		if passes > 0 {
			passes--
			return true, nil
		}
		if !f.gate {
			return true, nil
		}
		p := newPrinter(a)
		p.note("v%d: %s, %s, %s", r.Version, count(r.LintErrors, "lint error"), count(r.LintWarnings, "warning"), count(len(r.OpenCritiques), "open critique"))
		p.err.Flush()
		for {
			answer, asked, err := a.ask(ctx, fmt.Sprintf("play round %d? (yes/no)", next))
			switch {
			case err != nil:
				return false, err
			case !asked:
				return false, protocol.Errorf(protocol.Waiting, "round %d waits for a person: brenner run %s --rounds %d --gate --go passes this gate, --stop ends the run", next, r.ThreadID, f.rounds)
			}
			switch strings.ToLower(answer) {
			case "y", "yes", "go":
				return true, nil
			case "n", "no", "stop":
				return false, nil
			}
		}
	}
}

// runTeller tells a person what happens while it happens.
func (a *app) runTeller() func(runner.Event) {
	if a.flags.json || a.flags.quiet {
		return nil
	}
	p := newPrinter(a)
	return func(e runner.Event) {
		if text := runText(e); text != "" {
			p.note("round %d  %s", e.Round, visible(text))
			p.err.Flush()
		}
	}
}

func runText(e runner.Event) string {
	switch e.Kind {
	case runner.RoundBegun:
		return "the kickoffs are out"
	case runner.AgentAdopted:
		return e.Agent + " is still at work"
	case runner.AgentStarted:
		return e.Agent + " starts"
	case runner.AgentEnded:
		return e.Agent + ": " + e.Text
	case runner.Posted:
		return e.Agent + " printed its deltas; posted"
	case runner.Compiled:
		return "compiled: " + e.Text
	case runner.Opening:
		return "opens"
	case runner.Paused:
		return "paused by " + e.Text + "; brenner resume lets it go on"
	}
	return ""
}
