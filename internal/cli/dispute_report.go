package cli

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"brenner/disputes"
	project "brenner/internal/app"
	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
	"brenner/internal/protocol"
)

func newDisputeTable(a *app) *cobra.Command {
	var baselines bool
	var dir string
	cmd := &cobra.Command{
		Use:   "report [NAME|DIR…]",
		Short: "Sum up how agents did over all plays of the project, or of the baselines",
		Long: `Sum up the scores of all plays of the project, a row for each agent and arm, as a table in Markdown: means
with their 90 % intervals. What was recalled rather than reasoned is the gain in the named arm less that in the flipped
one. With --baselines the six agents that need no model play the disputes that are named, else all that come with the
program, in every arm, in a folder of their own.`,
		Example: "  brenner dispute report\n  brenner dispute report --baselines --dir plays > table.md",
		Args:    cobra.ArbitraryArgs,

		ValidArgsFunction: completeDisputes,
	}
	cmd.Flags().BoolVar(&baselines, "baselines", false, "play all disputes by the baselines first")
	cmd.Flags().StringVar(&dir, "dir", "", "where the baselines play, a project for each dispute (`DIR`; default: a temporary folder)")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if !baselines && len(args) > 0 {
			return nil, usageFor(cmd, "disputes are named with --baselines, which plays them")
		}
		if !baselines {
			return a.inProject(a.reportRuns)(ctx, nil)
		}
		all, err := fitDisputes(args)
		if err != nil {
			return nil, err
		}
		if dir == "" {
			if dir, err = os.MkdirTemp("", "brenner-disputes-"); err != nil {
				return nil, protocol.Errorf(protocol.Unwritable, "no scratch folder: %w", err)
			}
			defer os.RemoveAll(dir)
		}
		p := newPrinter(a)
		scores, err := play.Baselines(ctx, dir, all, func(name string) {
			p.note("playing %s", visible(name))
			p.err.Flush() // there is no place left to complain
		})
		return newTableReport(scores), err
	})
}

// fitDisputes reads disputes; without a name all that come with the program.
func fitDisputes(names []string) (all []*dispute.Dispute, err error) {
	if len(names) == 0 {
		names, err = dispute.List(disputes.Files)
	}
	for _, name := range names {
		d, err := fitDispute(name)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, err
}

// reportRuns sums up the plays of the project.
func (a *app) reportRuns(ctx context.Context, p *project.App, _ []string) (report, error) {
	threads, err := play.Runs(ctx, p)
	if err != nil {
		return nil, err
	}
	var scores []play.Score
	for _, thread := range threads {
		some, err := play.Scores(ctx, p, thread)
		if err != nil {
			return nil, err
		}
		scores = append(scores, some...)
	}
	return newTableReport(scores), nil
}

func newTableReport(scores []play.Score) disputeTableReport {
	r := disputeTableReport{Plays: protocol.NonNil(scores)}
	r.Rows, r.Recalled = play.Table(scores)
	return r
}

type disputeTableReport struct {
	Rows     []play.Row      `json:"rows"`
	Recalled []play.Recalled `json:"recalled"`
	Plays    []play.Score    `json:"plays"`
}

func (r disputeTableReport) show(p *printer) {
	if len(r.Rows) == 0 {
		if !p.failed {
			p.note("nobody has played a dispute in this project yet")
			p.next("brenner", "dispute", "list")
		}
		return
	}
	p.print("| agent | arm | plays | gain | uptake | revision | drift | on answer | economy | true quotes | rewritten |\n")
	p.print("|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		p.print("| %s | %s | %d | %s | %s | %s | %s | %s | %s | %s | %d |\n", cell(row.Agent), row.Arm, row.Plays, averaged(row.Gain),
			number(row.Uptake.Mean), averaged(row.Revision), number(row.Drift.Mean), averaged(row.OnAnswer), averaged(row.Economy),
			share(row.Quotes-row.False, row.Quotes), row.Rewritten)
	}
	p.print("\n| agent | recalled: gain named less flipped |\n|---|---|\n")
	for _, row := range r.Recalled {
		p.print("| %s | %s |\n", cell(row.Agent), gained(row.Gain))
	}
	p.next("brenner", "dispute", "list")
}

// averaged shows a mean with its interval.
func averaged(m play.Measure) string {
	if m.Interval == nil {
		return number(m.Mean)
	}
	return number(m.Mean) + " (" + number(&m.Interval[0]) + " to " + number(&m.Interval[1]) + ")"
}

// cell fits a name into a table of Markdown.
func cell(text string) string { return strings.ReplaceAll(visible(text), "|", `\|`) }
