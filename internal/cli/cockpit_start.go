package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/tmux"
)

type cockpitFlags struct {
	programs   []string
	dryRun     bool
	full       bool
	headless   bool
	attach     bool
	typePrompt bool
}

func newCockpitStart(a *app) *cobra.Command {
	var f cockpitFlags
	cmd := &cobra.Command{
		Use:   "start T",
		Short: "Start the agents of a session in tmux",
		Long: `Start every agent of the roster that has a kickoff in a pane of its own: its program, with the tools
of brenner under the agent's name, told its role and the kickoff. The programs are claude-code, codex-cli,
gemini-cli, and those that agents in the project file describes. If one is not installed, nothing starts and
all that is missing is listed.

The tmux session is named after the thread, with _ for . and : (people who use ntm find it there under
the same name). Panes stay when their programs end. Nothing is typed into a pane unless --type-prompt says so.`,
		Example: `  brenner cockpit start RS-20260110-cells-turn --dry-run
  brenner cockpit start RS-20260110-cells-turn --program BlueLake=claude-code --attach`,
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.programs, "program", nil,
		"program of an agent, as `AGENT=PROGRAM`; PROGRAM alone is for agents of which nothing is known")
	completeFlag(cmd, "program", a.completeAssigned)
	flags.BoolVar(&f.dryRun, "dry-run", false, "print a line for each agent and start nothing")
	flags.BoolVar(&f.full, "full", false, "with --dry-run: print every command in full, with its prompt")
	flags.BoolVar(&f.headless, "headless", false, "with --dry-run: print the commands of one round of brenner run instead")
	flags.BoolVar(&f.attach, "attach", false, "show the session in this terminal, also if it runs already")
	flags.BoolVar(&f.typePrompt, "type-prompt", false, "type a line into panes whose program is not handed its prompt")
	start := a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		return a.startCockpit(ctx, p, args[0], f)
	}))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if f.full && !f.dryRun {
			return nil, usageFor(cmd, "--full goes with --dry-run")
		}
		if f.headless && !f.dryRun {
			return nil, usageFor(cmd, "--headless goes with --dry-run; brenner run starts rounds")
		}
		r, err := start(ctx, args)
		if f.attach && !f.dryRun && (err == nil || protocol.CodeOf(err) == protocol.Conflict) {
			attached := a.attach(ctx, cmd, args[0])
			if err != nil && protocol.CodeOf(attached) == protocol.NotFound {
				return r, err // it is a runner that plays the agents
			}
			return streamed{}, attached
		}
		return r, err
	})
}

func (a *app) startCockpit(ctx context.Context, p *project.App, threadID string, f cockpitFlags) (report, error) {
	req := cockpit.Request{ThreadID: threadID, Programs: f.choices()}
	if f.headless {
		req.Mode = program.Headless
	}
	server := (*tmux.Server)(nil)
	var absent error
	if !f.dryRun {
		server, absent = openTmux()
	}
	c, err := a.cockpitOf(p, server)
	if err != nil {
		return nil, err
	}
	plan, err := c.Plan(ctx, req)
	if err == nil && absent != nil {
		err = absent
	}
	if err != nil {
		return newMissingReport(plan, err), err
	}
	typing := cockpit.NeverType
	if f.typePrompt {
		typing = cockpit.TypePrompts
	}
	if f.dryRun {
		r := a.planReport(plan, typing)
		r.full, r.start = f.full, []string{"brenner", "cockpit", "start", threadID}
		return r, nil
	}
	running, err := c.Start(ctx, plan, typing)
	if err != nil {
		return newMissingReport(plan, err), err
	}
	return startedReport{Running: running, NTM: plan.Session, Findings: plan.Unprompted(typing)}, nil
}

// choices reads --program.
func (f cockpitFlags) choices() map[string]string { return programChoices(f.programs) }

// programChoices reads AGENT=PROGRAM, and PROGRAM alone under the empty name.
func programChoices(words []string) map[string]string {
	chosen := map[string]string{}
	for _, word := range words {
		if agent, name, ok := strings.Cut(word, "="); ok {
			chosen[agent] = name
		} else {
			chosen[""] = word
		}
	}
	return chosen
}

// missingReport says what keeps a cockpit from starting: programs to install, or else what the
// error found.
type missingReport struct {
	Missing  []program.Missing  `json:"missing"`
	findings []protocol.Finding // the error object has them too
}

func newMissingReport(plan cockpit.Plan, err error) missingReport {
	r := missingReport{Missing: protocol.NonNil(plan.Missing)}
	if failure, ok := errors.AsType[*protocol.Error](err); ok && len(r.Missing) == 0 {
		r.findings = failure.Findings
	}
	return r
}

func (r missingReport) show(p *printer) {
	for _, m := range r.Missing {
		p.note("missing: %s: %s", visible(m.Program), visible(m.Install))
	}
	p.findingsOnErr(r.findings)
}

type startedReport struct {
	cockpit.Running
	NTM      string             `json:"ntm_session"`
	Findings []protocol.Finding `json:"findings"`
}

func (r startedReport) show(p *printer) {
	p.print("%s: tmux session %s, %s\n", p.style(styleBold, visible(r.ThreadID)), visible(r.Session), count(len(r.Panes), "pane"))
	p.panes(r.Running)
	p.note("the same session in ntm: %s", visible(r.NTM))
	p.findingsOnErr(r.Findings)
	p.next("brenner", "cockpit", "attach", r.ThreadID)
}
