package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/turn"
)

func newRunTranscript(a *app) *cobra.Command {
	var round int
	var message int64
	cmd := &cobra.Command{
		Use:   "transcript T [AGENT]",
		Short: "Show what an agent's program did in a round: prompt, calls of tools, words, cost",
		Long: `Show the turns of a run: what each program was told, which tools it called and what they answered, what it said, and
what it used, read from the program's own stream. Without AGENT the turns are listed; with --message the one in which
that message was written is shown. All of it is text of other programs and is shown inert.`,
		Example: "  brenner run transcript RS-20260110-cells-turn\n  brenner run transcript RS-20260110-cells-turn BlueLake " +
			"--round 2",
		Args:              between([]string{"T"}, "AGENT"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().IntVar(&round, "round", 0, "of this round only")
	cmd.Flags().Int64Var(&message, "message", 0, "the turn that wrote the message `ID`")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		q := runner.TurnQuery{ThreadID: args[0], Round: round}
		if len(args) > 1 {
			q.Agent = args[1]
		}
		if message != 0 {
			m, err := p.Mail.Message(ctx, message)
			if err != nil {
				return nil, err
			}
			q.ThreadID, q.Agent, q.Message = m.ThreadID, m.From, m.CreatedAt
		}
		if _, err := p.Mail.Thread(ctx, q.ThreadID); err != nil {
			return nil, err
		}
		read := runner.TurnList
		if q.Agent != "" {
			read = runner.Turns
		}
		turns, err := read(p.Project.Root, q)
		if err != nil {
			return nil, err
		}
		if len(turns) == 0 && (q.Agent != "" || round != 0) {
			return nil, protocol.Errorf(protocol.NotFound,
				"no turn of that kind is kept for %s; brenner run transcript %s lists those that are", q.ThreadID, q.ThreadID)
		}
		return turnsReport{q.ThreadID, protocol.NonNil(turns), q.Agent != ""}, nil
	}))
}

type turnsReport struct {
	ThreadID string          `json:"thread_id"`
	Turns    []runner.Played `json:"turns"`

	whole bool
}

func (r turnsReport) show(p *printer) {
	if len(r.Turns) == 0 {
		p.note("no program was run for %s", visible(r.ThreadID))
		p.next("brenner", "run", r.ThreadID)
		return
	}
	if !r.whole {
		r.list(p)
		return
	}
	for i := range r.Turns {
		showTurn(p, &r.Turns[i])
	}
	p.next("brenner", "thread", "show", r.ThreadID)
}

func (r turnsReport) list(p *printer) {
	var rows [][]string
	for _, t := range r.Turns {
		rows = append(rows, []string{
			strconv.Itoa(t.Round), t.Agent, strconv.Itoa(t.Attempt), t.Program, string(t.End), strconv.Itoa(t.Calls), usageText(t.Usage),
			t.Last,
		})
	}
	p.table(columns("Round", "Agent", "Attempt", "Program", "Ended", "Calls", "Spent?", "Last words…"), rows)
	p.next("brenner", "run", "transcript", r.ThreadID, r.Turns[0].Agent)
}

// showTurn shows one turn. Whatever a program wrote stays behind a bar, so that it cannot pass for ours.
func showTurn(p *printer, t *runner.Played) {
	model := t.Program
	if t.Model != "" {
		model += ", " + t.Model
	}
	p.print("%s\n", p.style(styleBold, visible(t.Agent)+", round "+strconv.Itoa(t.Round)+", attempt "+strconv.Itoa(t.Attempt)+" ("+
		visible(model)+")"))
	showSteps(p, t.Steps)
	p.more(t.More, "step")
	if t.Usage != nil {
		p.print("spent: %s\n", usageText(t.Usage))
	}
}

func showSteps(p *printer, steps []turn.Step) {
	for _, s := range steps {
		head := string(s.Kind)
		if s.Tool != "" {
			head += " " + visible(s.Tool)
		}
		if s.Failed {
			head += " " + p.style(severityStyle[protocol.SeverityError], "failed")
		}
		p.print("%s\n", head)
		for line := range strings.Lines(strings.TrimRight(s.Text, "\n")) {
			p.print("  | %s\n", visible(strings.TrimRight(line, "\r\n")))
		}
	}
}
