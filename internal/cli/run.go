package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/notify"
	"brenner/internal/protocol"
	"brenner/internal/runner"
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
	retries             int // below 0: the project's
	stalledAfter        time.Duration
	consent             time.Duration
	budget              string
	jobs                int
	perProgram          []string
	resume, status      bool
	agentBudget         string
	dayBudget           string

	whole   bool                   // it is one run with all that went before, and goes on as that was asked
	changed func(flag string) bool // it was given
}

func newRun(a *app) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run T [T…]",
		Short: "Play rounds of a session unattended, with the agents' own programs",
		Long: `Play rounds of a session: start the program of each agent that got a KICKOFF, take the deltas that it
mailed or printed, compile, and open the next round with the critiques that are open. A run ends when a
round brings nothing new while lint is clean and no Critical critique is open, after round --rounds, or when a
person says stop: Ctrl-C, brenner run T --stop, or a message 'INFO: Stop the run' on the thread.

Started again, a run goes on where it stood; only one runner or cockpit works on a thread (exit code 6). A stop that
was said while nobody ran ends the next start at once; --stop also ends programs that outlived their runner. What agents
print is kept in .brenner/run/T/round-N/; brenner run transcript T shows what each did.

An agent whose service takes no more for now (a rate limit, an overload) rests and is started again, --retries times.
--stalled-after ends a program that neither prints nor calls, --budget the run when its programs say that so much is
spent. Several sessions are a queue: --jobs of them are played at once, and what is left of a queue that ended early
is played by --resume.

With --gate a person is asked before each further round; without a
terminal the run ends there with exit code 7, and --go passes that one gate.`,
		Example: "  brenner run RS-20260110-cells-turn --rounds 3\n" +
			"  brenner run RS-20260110-cells-turn --rounds 5 --gate --deadline 20m\n" +
			"  brenner run RS-20260110-cells-turn --program BlueLake=claude-code --dry-run\n" +
			"  brenner run RS-20260110-cells-turn --stop --reason 'H2 is dead anyway'\n" +
			"  brenner run RS-20260110-cells-turn RS-20260111-tides --jobs 2 --per-program claude-code=2 --budget 2M",
		Args: func(cmd *cobra.Command, args []string) error {
			if f.resume || f.status {
				cmd.Annotations = map[string]string{threadFound: "none is wanted"}
				return between(nil)(cmd, args)
			}
			return atLeast("T")(cmd, args)
		},
		ValidArgsFunction: a.completeThreads,
	}
	cmd.AddCommand(newRunTranscript(a), newRunEdit(a))
	flags := cmd.Flags()
	flags.IntVar(&f.rounds, "rounds", 3, "the number `N` of the last round to play; rounds played before count")
	flags.BoolVar(&f.gate, "gate", false, "ask before each further round")
	flags.BoolVar(&f.pass, "go", false, "pass the gate at which the run waits, and ask again at the next")
	flags.BoolVar(&f.stop, "stop", false, "end the run of this thread, wherever it goes on")
	flags.StringVar(&f.reason, "reason", "", "say why, with --stop")
	flags.DurationVar(&f.deadline, "deadline", 0,
		"how long an agent may take for a round (default: run.deadline of the project file, else 30m)")
	flags.DurationVar(&f.timeout, "timeout", 0, "end the run after this `TIME` with exit code 8; it can go on later")
	flags.DurationVar(&f.grace, "grace", runner.DefaultGrace, "how long a program may take to end when it is asked to")
	flags.BoolVar(&f.inTurn, "in-turn", false, "let the agents work one after the other, in the order of the roster")
	flags.BoolVar(&f.skipMissing, "skip-missing", false, "play without the agents whose programs are not installed")
	flags.StringArrayVar(&f.programs, "program", nil,
		"register the program of an agent first, as `AGENT=PROGRAM`; PROGRAM alone is for agents of which nothing is known")
	completeFlag(cmd, "program", a.completeAssigned)
	flags.BoolVar(&f.dryRun, "dry-run", false, "print a line for each agent and start nothing")
	flags.BoolVar(&f.full, "full", false, "with --dry-run: print every command in full, with its prompt")
	flags.IntVar(&f.retries, "retries", -1,
		"how often an agent whose service takes no more is started again (default: run.retries of the project file, else 3)")
	flags.DurationVar(&f.stalledAfter, "stalled-after", 0, "end a program that has neither printed nor called for this `TIME` (default: "+
		"run.stalled_after of the project file, else never)")
	flags.DurationVar(&f.consent, "consent", 0, "how long a program that asks for consent waits for your answer before it is refused, as "+
		"a `TIME`: agents of the Agent Client Protocol (default: run.consent of the project file, else it is refused at once)")
	flags.StringVar(&f.budget, "budget", "",
		"end the run of a session when so `MUCH` is spent, as far as the programs say: tokens (200k, 2M) or dollars ($5)")
	flags.StringVar(&f.agentBudget, "agent-budget", "", "end the program of an agent that has spent so `MUCH` in the run")
	flags.StringVar(&f.dayBudget, "day-budget", "",
		"end the run when all runs of the project on this machine have spent so `MUCH` since midnight")
	f.changed = flags.Changed
	flags.IntVar(&f.jobs, "jobs", 3, "how many sessions of a queue are played at once")
	flags.StringArrayVar(&f.perProgram, "per-program", nil, "how many of a program run at once in all sessions, as `PROGRAM=N`")
	flags.BoolVar(&f.resume, "resume", false, "play what is left of the queue")
	flags.BoolVar(&f.status, "status", false, "show the queue, and play nothing")
	a.fromFlag(cmd)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case f.full && !f.dryRun:
			return nil, usageFor(cmd, "--full goes with --dry-run")
		case f.dryRun && len(args) != 1:
			return nil, usageFor(cmd, "--dry-run looks at one session")
		case f.dryRun:
			return a.inProject(a.planRun(f))(ctx, args)
		case f.rounds < 1 || f.deadline < 0 || f.timeout < 0 || f.grace < 0 || f.stalledAfter < 0 || f.consent < 0:
			return nil, usageFor(cmd, "rounds count from 1, and no time is below 0")
		case f.jobs < 1:
			return nil, usageFor(cmd, "at least one job plays the queue")
		case f.status:
			return a.inProject(a.queueStatus)(ctx, args)
		case f.stop:
			return a.inProject(a.acting(a.stopRun(f)))(ctx, args)
		case f.resume || len(args) > 1:
			return a.inProject(a.acting(a.playQueue(f)))(ctx, args)
		}
		return a.inProject(a.acting(a.playRun(f)))(ctx, args)
	})
}

// stopRun tells the runners, wherever they are.
func (a *app) stopRun(f runFlags) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (report, error) {
		as, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		var last stopReport
		for _, thread := range args {
			m, err := runner.Stop(ctx, p.Sessions, thread, as, f.reason)
			if err != nil {
				return nil, err
			}
			ended, err := runner.EndOrphans(ctx, p.Mail, p.Project.Root, thread, f.grace)
			if err != nil {
				return nil, err
			}
			last.ThreadID, last.MessageID, last.Ended = m.ThreadID, m.ID, last.Ended+ended
			last.all = append(last.all, m.ThreadID)
		}
		return last, nil
	}
}

type stopReport struct {
	ThreadID  string `json:"thread_id"`
	MessageID int64  `json:"message_id"`
	Ended     int    `json:"ended"` // programs that had outlived their runner

	all []string
}

func (r stopReport) show(p *printer) {
	p.print("message %d asks the run of %s to end\n", r.MessageID, visible(strings.Join(r.all, ", ")))
	if r.Ended > 0 {
		p.print("ended %s that had outlived the runner\n", count(r.Ended, "program"))
	}
	p.next("brenner", "session", "status", r.ThreadID)
}

// playRun plays the rounds of one session.
func (a *app) playRun(f runFlags) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (report, error) {
		before, goesOn, err := runner.KeptOptions(p.Project.Root, args[0])
		if err != nil {
			return nil, err
		}
		if !goesOn && (!f.whole || before.Rounds == 0) {
			before = f.kept(p.Config.Run)
		}
		o, err := a.runOptions(ctx, p, f, before)
		if err != nil {
			return nil, err
		}
		if err := registerPrograms(ctx, p, args[0], programChoices(f.programs)); err != nil {
			return nil, err
		}
		ctx, cancel := f.limited(ctx)
		defer cancel()
		o.ThreadID = args[0]
		if f.whole {
			o.From, o.Only = 1, slices.Sorted(maps.Keys(programChoices(f.programs)))
		}
		o.Free = func(ctx context.Context) error { return a.noCockpit(ctx, p, args[0]) }
		var done runner.Report
		err = a.watched(ctx, p, args[0], func(n *notify.Notifier) (err error) {
			o.Tell = a.telling(ctx, n, args[0], a.runTeller(""))
			done, err = runner.Run(ctx, o)
			return err
		})
		if done.ThreadID == "" {
			return nil, err
		}
		return runReport{Report: done, limit: o.Rounds, refusal: refusalOf(err)}, err
	}
}

// limited bounds the time of a run.
func (f runFlags) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, f.timeout, protocol.Errorf(protocol.TimedOut, "the run took longer than %s", duration(f.timeout)))
}

// runOptions are those of a run that do not depend on its thread.
func (a *app) runOptions(ctx context.Context, p *project.App, f runFlags, before runner.Kept) (runner.Options, error) {
	as, err := a.sender(ctx, p)
	if err != nil {
		return runner.Options{}, err
	}
	self, err := a.self()
	if err != nil {
		return runner.Options{}, err
	}
	o := runner.Options{
		Sessions: p.Sessions, Programs: p.Catalog(), As: as, Root: p.Project.Root, Store: absoluteStore(a.dsn()), Brenner: self,
		Prices: pricesOf(p),
	}
	if o.Kept, err = f.over(before); err != nil {
		return o, err
	}
	bounds, err := f.bounds()
	if err != nil {
		return o, err
	}
	if len(bounds) > 0 {
		o.Slots = runner.NewSlots(bounds)
	}
	if o.Gate || f.pass {
		o.Ask = a.gate(p, f, o.Kept)
	}
	return o, nil
}

// pricesOf are those of the project's settings.
func pricesOf(p *project.App) map[string]runner.Price {
	prices := map[string]runner.Price{}
	for name, price := range p.Config.Run.Prices {
		prices[name] = runner.Price(price)
	}
	return prices
}

// bounds reads --per-program.
func (f runFlags) bounds() (map[string]int, error) {
	most := map[string]int{}
	for _, word := range f.perProgram {
		program, number, ok := strings.Cut(word, "=")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 1 || program == "" {
			return nil, usageError("--per-program is PROGRAM=N with N from 1, such as claude-code=2, not %q", word)
		}
		most[program] = n
	}
	return most, nil
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
func (a *app) gate(project *project.App, f runFlags, k runner.Kept) func(context.Context, runner.Report, int) (bool, error) {
	passes := 0
	if f.pass {
		passes = 1
	}
	return func(ctx context.Context, r runner.Report, next int) (bool, error) {
		if passes > 0 {
			passes--
			return true, nil
		}
		if !k.Gate {
			return true, nil
		}
		p := newPrinter(a)
		p.note("v%d: %s, %s, %s", r.Version, count(r.LintErrors, "lint error"), count(r.LintWarnings, "warning"),
			count(len(r.OpenCritiques), "open critique"))
		p.err.Flush()
		for {
			answer, asked, err := a.ask(ctx, fmt.Sprintf("play round %d? (yes/no)", next))
			switch {
			case err != nil:
				return false, err
			case !asked:
				return false, protocol.Errorf(protocol.Waiting,
					"round %d waits for a person: brenner run %s --rounds %d --gate --go passes this gate, --stop ends the run", next,
					r.ThreadID, k.Rounds)
			}
			switch strings.ToLower(answer) {
			case "y", "yes", "go":
				return true, a.answeredGate(ctx, project, r.ThreadID, next, "yes")
			case "n", "no", "stop":
				return false, a.answeredGate(ctx, project, r.ThreadID, next, "no")
			}
		}
	}
}

// answeredGate writes what a person answered at a gate into the audit log, before the run obeys.
func (a *app) answeredGate(ctx context.Context, p *project.App, thread string, round int, answer string) error {
	e := a.entry(nil)
	e.Act, e.Target = "gate", fmt.Sprintf("%s round %d: %s", thread, round, answer)
	return a.record(ctx, p, e, func() error { return nil })
}

// runTeller tells a person what happens while it happens.
func (a *app) runTeller(before string) func(runner.Event) {
	if a.flags.json || a.flags.quiet {
		return nil
	}
	p := newPrinter(a)
	return func(e runner.Event) {
		if text := runText(e); text != "" {
			p.note("%sround %d  %s", visible(before), e.Round, visible(text))
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
	case runner.AgentEnded, runner.AgentResting:
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
