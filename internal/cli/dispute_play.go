package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// disputeFlags are what a person says about a play.
type disputeFlags struct {
	arm, baseline, thread string
	to                    []string
	programs              []string
	budget                string
}

func newDisputePlay(a *app) *cobra.Command {
	var f disputeFlags
	cmd := &cobra.Command{
		Use:   "play NAME|DIR",
		Short: "Play a dispute: statements, a test chosen, its seal opened, statements again",
		Long: `Play a dispute as a session of the project: the agents state what they believe and name the next test, its sealed
result is opened and recorded, and they state again, until the budget or the tests end. A baseline needs no model. Agents named with --to
write by hand or in a chat, as in any session: the command goes on as far as it can, says whose statement is
missing, and ends with exit code 7; typed again, it goes on. With --program their programs are started for each turn, as brenner run
does; --budget ends the play when they say that so much is spent, over all turns, and is kept until another is given. What has happened
is read from the thread, so that nothing is sent twice.`,
		Example: "  brenner dispute play opera --baseline next\n  brenner dispute play opera --to BlueLake\n" +
			"  brenner dispute play opera --arm flipped --program BlueLake=claude-code --budget 2M",
		Args:              exactly("NAME|DIR"),
		ValidArgsFunction: completeDisputes,
	}
	armFlag(cmd, &f.arm)
	flags := cmd.Flags()
	flags.StringVar(&f.baseline, "baseline", "",
		"an agent that needs no model: `NAME` is uniform, stubborn, follower, bayesian, greedy or next")
	flags.StringArrayVar(&f.to, "to", nil, "an `AGENT` that writes by hand or in a chat")
	flags.StringArrayVar(&f.programs, "program", nil, "an agent and the program that is started for it, as `AGENT=PROGRAM`")
	flags.StringVar(&f.budget, "budget", "",
		"end the play when so `MUCH` is spent, as far as the programs say: tokens (200k, 2M), dollars ($5) or none")
	flags.StringVar(&f.thread, "thread", "", "the `ID` of the session (default: RS-{today}-{name}-{arm}, and the baseline's name)")
	completeFlag(cmd, "baseline", fixed(baselineNames()))
	completeFlag(cmd, "program", a.completeAssigned)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		arm, err := checkArm(cmd, f.arm)
		if err != nil {
			return nil, err
		}
		cast, err := f.cast(cmd)
		if err != nil {
			return nil, err
		}
		if f.budget != "" && len(f.programs) == 0 {
			return nil, usageFor(cmd, "--budget is for programs that are started: name them with --program")
		}
		if _, err := f.run(0).over(runner.Kept{}); err != nil {
			return nil, err
		}
		d, err := fitDispute(args[0])
		if err != nil {
			return nil, err
		}
		return a.inNewProject(a.acting(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			return a.playDispute(ctx, p, d.Stage(arm), cast, f)
		}))(ctx, nil)
	})
}

func baselineNames() []string {
	var list []string
	for _, b := range dispute.Baselines() {
		list = append(list, string(b))
	}
	return list
}

// cast are the agents that the flags name.
func (f *disputeFlags) cast(cmd *cobra.Command) ([]play.Player, error) {
	var cast []play.Player
	switch {
	case f.baseline != "" && !slices.Contains(baselineNames(), f.baseline):
		return nil, usageFor(cmd, "--baseline is one of %s, not %q", strings.Join(baselineNames(), ", "), protocol.Shorten(f.baseline, 40))
	case f.baseline != "":
		cast = play.Panel(dispute.Baseline(f.baseline))
	}
	for _, name := range f.to {
		cast = append(cast, play.Player{Name: name})
	}
	for _, choice := range f.programs {
		agent, program, ok := strings.Cut(choice, "=")
		if !ok {
			return nil, usageFor(cmd, "--program %q names no agent: write AGENT=PROGRAM", protocol.Shorten(choice, 40))
		}
		cast = append(cast, play.Player{Name: agent, Program: program})
	}
	if len(cast) == 0 {
		return nil, usageFor(cmd, "nobody plays: name a --baseline, agents (--to) or their programs (--program)")
	}
	return cast, nil
}

// playDispute plays on, as far as it can go now.
func (a *app) playDispute(ctx context.Context, p *project.App, s *dispute.Staged, cast []play.Player, f disputeFlags) (report, error) {
	o := play.Options{App: p, Staged: s, Cast: cast, Thread: f.thread, Tell: a.disputeTeller()}
	if o.Thread == "" {
		o.Thread = play.ThreadID(s, a.now())
		if f.baseline != "" {
			o.Thread += "-" + f.baseline
		}
	}
	if len(f.programs) > 0 {
		if err := f.payable(p, cast); err != nil {
			return nil, err
		}
		o.Round = a.disputeRound(p, f)
	}
	r, err := play.Play(ctx, o)
	if err == nil && len(r.Waiting) > 0 && r.Halted == "" {
		err = protocol.Errorf(protocol.Waiting, "%s has not stated in turn %d", strings.Join(r.Waiting, ", "), r.Turns)
	}
	return disputePlayReport{r}, err
}

// run is what a person says of the runs that play the turns of programs: they are one run, with the budget of the play.
func (f *disputeFlags) run(turn int) runFlags {
	return runFlags{rounds: turn, retries: -1, programs: f.programs, budget: f.budget, whole: true,
		changed: func(flag string) bool { return flag == "rounds" }}
}

// payable refuses a budget that nobody could keep before anything is begun.
func (f *disputeFlags) payable(p *project.App, cast []play.Player) error {
	k, err := f.run(0).over(runner.Kept{})
	if err != nil {
		return err
	}
	var programs []string
	for _, one := range cast {
		if one.Program != "" && one.Baseline == "" {
			programs = append(programs, one.Program)
		}
	}
	return k.Payable(p.Catalog(), pricesOf(p), programs)
}

// disputeRound has the programs of agents write once, as a round of a run.
func (a *app) disputeRound(p *project.App, f disputeFlags) func(context.Context, string, int) (string, error) {
	return func(ctx context.Context, thread string, turn int) (string, error) {
		// What the programs are asked holds the artifact: rivals, tests and results stand there in full.
		_, err := p.Sessions.Compile(ctx, session.CompileRequest{ThreadID: thread, As: mail.Operator})
		if err == nil {
			err = openTurn(ctx, p, thread, turn, f.programs)
		}
		if err != nil {
			return "", err
		}
		done, err := a.playRun(f.run(turn))(ctx, p, []string{thread})
		if r, ok := done.(runReport); ok && (r.Status == runner.Spent || r.Status == runner.Stopped) {
			return r.Reason, err
		}
		if protocol.CodeOf(err) == protocol.RunStalled { // a statement is no contribution to an artifact
			return "", nil
		}
		return "", err
	}
}

// openTurn opens the round of a turn, unless that was done. A run alone would end once agents only state what they believe.
func openTurn(ctx context.Context, p *project.App, thread string, turn int, programs []string) error {
	s, err := p.Sessions.Session(ctx, thread)
	if err != nil {
		return err
	}
	status, err := s.Status(ctx)
	if err != nil || status.Round >= turn {
		return err
	}
	var agents []string
	for _, choice := range programs {
		agent, _, _ := strings.Cut(choice, "=")
		agents = append(agents, agent)
	}
	_, err = p.Sessions.Start(ctx, session.StartRequest{
		From: mail.Operator, ThreadID: thread, Round: turn, Key: fmt.Sprintf("dispute/%s/round/%d", thread, turn),
		Focus:  dispute.Again,
		Roster: session.RosterRequest{Recipients: agents},
	})
	return err
}

// disputeTeller tells a person what happens while it happens.
func (a *app) disputeTeller() func(play.Moment) error {
	if a.flags.json || a.flags.quiet {
		return nil
	}
	p := newPrinter(a)
	return func(m play.Moment) error {
		p.note("%2d  %s", m.Turn, visible(m.Said))
		return p.err.Flush()
	}
}

type disputePlayReport struct{ play.Report }

func (r disputePlayReport) show(p *printer) {
	p.print("%s: %s, %s of effort %.1f\n", r.ThreadID, count(r.Turns, "turn"), count(len(r.Opened), "opened test"), r.Effort)
	for _, o := range r.Opened {
		p.print("  %-4s %s, %s, effort %.1f\n", o.Test, visible(o.Found), o.Evidence, o.Effort)
	}
	if r.Halted != "" {
		p.print("halted: %s\n", visible(r.Halted))
	}
	if r.Ended {
		p.next("brenner", "dispute", "score", r.ThreadID)
	} else if r.Halted == "" && len(r.Waiting) > 0 {
		p.hint("read what %s has to know, answer, and play on: brenner mail inbox %s", r.Waiting[0], visible(shellWord(r.Waiting[0])))
	}
}

func newDisputeScore(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "score T",
		Short: "Count from the thread of a play how its agents did",
		Long: `Count from the thread of a play how its agents did; no judge is asked. Gain is how many bits of surprise each
forecast of a result saved over chance, with its 90 % interval; fewer than ten forecasts, or an interval that holds 0,
cannot tell. Uptake, revision and drift are those of brenner signs. Economy is the effort of the best choice of tests
beside what was spent until the agent was sure of the answer (95 %), 0 if it never was.`,
		Example:           "  brenner dispute score RS-20260110-opera-named-next",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		scores, err := play.Scores(ctx, p, args[0])
		return disputeScoreReport{args[0], scores}, err
	}))
}

type disputeScoreReport struct {
	ThreadID string       `json:"thread_id"`
	Scores   []play.Score `json:"scores"`
}

func (r disputeScoreReport) show(p *printer) {
	var rows [][]string
	for _, s := range r.Scores {
		effort := number(s.Effort)
		if s.BestEffort != nil {
			effort += " of " + number(s.BestEffort)
		}
		rows = append(rows, []string{visible(s.Agent), gained(s.Forecast), number(s.Uptake), number(s.Revision), number(s.Drift),
			number(s.OnAnswer), effort, number(s.Economy), number(s.OnNone), share(s.Quotes-s.False, s.Quotes),
			formatInt(int64(s.Rewritten)), formatInt(int64(s.Requests)), formatInt(s.Tokens)})
	}
	p.table(columns("Agent", "Gain", "Uptake", "Revision", "Drift", "On answer", "Effort", "Economy", "On none?", "True quotes?",
		"Rewritten?", "Requests?", "Tokens?"), rows)
	p.next("brenner", "beliefs", r.ThreadID)
}

// gained shows a mean with its interval, and whether it tells.
func gained(m play.Measure) string {
	text := number(m.Mean)
	if m.Interval != nil {
		text = strings.Join([]string{text, " (", number(&m.Interval[0]), " to ", number(&m.Interval[1]), ")"}, "")
	}
	return text + ", " + string(m.Verdict)
}
