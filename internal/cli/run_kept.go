package cli

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/config"
	"brenner/internal/runner"
)

// kept are the options of a run of which nothing is kept: the project's, and what holds for all.
func (f runFlags) kept(set config.Run) runner.Kept {
	k := runner.Kept{
		Rounds: f.rounds, Deadline: set.Deadline, Grace: runner.DefaultGrace,
		StalledAfter: set.StalledAfter, Consent: set.Consent, Retries: runner.DefaultRetries,
	}
	if set.Retries != nil {
		k.Retries = *set.Retries
	}
	for _, b := range []struct {
		text string
		to   *runner.Budget
	}{{set.Budget, &k.Budget}, {set.AgentBudget, &k.AgentBudget}, {set.DayBudget, &k.DayBudget}} {
		if b.text != "" {
			*b.to, _ = runner.ParseBudget(b.text) // the settings were checked
		}
	}
	return k
}

// over puts the flags that were given over options.
func (f runFlags) over(k runner.Kept) (runner.Kept, error) {
	for flag, to := range map[string]*bool{"in-turn": &k.InTurn, "skip-missing": &k.SkipMissing, "gate": &k.Gate} {
		if f.changed(flag) {
			*to = map[string]bool{"in-turn": f.inTurn, "skip-missing": f.skipMissing, "gate": f.gate}[flag]
		}
	}
	if f.changed("rounds") {
		k.Rounds = f.rounds
	}
	if f.changed("grace") {
		k.Grace = f.grace
	}
	if f.retries >= 0 {
		k.Retries = f.retries
	}
	k.Deadline, k.StalledAfter = cmp.Or(f.deadline, k.Deadline), cmp.Or(f.stalledAfter, k.StalledAfter)
	if f.changed("consent") {
		k.Consent = f.consent
	}
	for _, b := range []struct {
		flag, text string
		to         *runner.Budget
	}{{"budget", f.budget, &k.Budget}, {"agent-budget", f.agentBudget, &k.AgentBudget}, {"day-budget", f.dayBudget, &k.DayBudget}} {
		if b.text == "" {
			continue
		}
		if b.text == "none" {
			*b.to = runner.Budget{}
			continue
		}
		var err error
		if *b.to, err = runner.ParseBudget(b.text); err != nil {
			return k, usageError("--%s: %s", b.flag, err)
		}
	}
	return k, nil
}

func newRunEdit(a *app) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "edit T",
		Short: "Change the options that a run goes on with",
		Long: `Change the options of a run: a runner at work obeys them from its next look on, and the run goes on with them when it is
started again. What is not given stays. A budget of none takes one away.`,
		Example: "  brenner run edit RS-20260110-cells-turn --budget 2M --rounds 6",
		Args:    exactly("T"), ValidArgsFunction: a.completeThreads,
	}
	flags := cmd.Flags()
	flags.IntVar(&f.rounds, "rounds", 0, "the number `N` of the last round to play")
	flags.DurationVar(&f.deadline, "deadline", 0, "how long an agent that is started from now on may take for a round, as a `TIME`")
	flags.DurationVar(&f.stalledAfter, "stalled-after", 0, "end a program that has neither printed nor called for this `TIME`")
	flags.DurationVar(&f.consent, "consent", 0, "how long a program that asks for consent waits for your answer, as a `TIME`")
	flags.IntVar(&f.retries, "retries", -1, "how often an agent whose service takes no more is started again")
	flags.StringVar(&f.budget, "budget", "", "end the run when so `MUCH` is spent: tokens (200k, 2M) or dollars ($5)")
	flags.StringVar(&f.agentBudget, "agent-budget", "", "end the program of an agent that has spent so `MUCH` in the run")
	flags.StringVar(&f.dayBudget, "day-budget", "", "end the run when the runs of the project have spent so `MUCH` since midnight")
	f.changed = flags.Changed
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if flags.NFlag() == 0 || f.changed("rounds") && f.rounds < 1 || f.deadline < 0 || f.stalledAfter < 0 || f.consent < 0 {
			return nil, usageFor(cmd, "say what is to change; rounds count from 1, and no time is below 0")
		}
		if _, err := f.over(runner.Kept{}); err != nil {
			return nil, err
		}
		return a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
			k, err := runner.Edit(p.Project.Root, args[0], func(k *runner.Kept) {
				*k, _ = f.over(*k) // it was looked at before
			})
			if err != nil {
				return nil, err
			}
			if err := runner.EditQueued(ctx, p.Mail, args[0], k); err != nil {
				return nil, err
			}
			run, _, err := p.Programs.Run(ctx, args[0])
			return runEditReport{ThreadID: args[0], Options: k, Running: run.Live}, err
		}))(ctx, args)
	})
}

type runEditReport struct {
	ThreadID string      `json:"thread_id"`
	Options  runner.Kept `json:"options"`
	Running  bool        `json:"running"` // a runner is at work and obeys now
}

func (r runEditReport) show(p *printer) {
	k := r.Options
	p.print("%s plays up to round %d, deadline %s, retries %d\n", visible(r.ThreadID), k.Rounds,
		cmp.Or(k.Deadline, runner.DefaultDeadline).Round(time.Second), k.Retries)
	for _, b := range []struct {
		of string
		is runner.Budget
	}{{"the run", k.Budget}, {"each agent", k.AgentBudget}, {"a day", k.DayBudget}} {
		if text := b.is.String(); text != "" {
			p.print("budget of %s: %s\n", b.of, text)
		}
	}
	if r.Running {
		p.next("brenner", "ps", r.ThreadID)
		return
	}
	p.next("brenner", "run", r.ThreadID)
}
