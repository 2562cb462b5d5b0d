package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/session"
)

func newResultRecord(a *app) *cobra.Command {
	var req session.ResultRequest
	cmd := &cobra.Command{
		Use:   "record T TEST --outcome TEXT",
		Short: "Record what a test came to",
		Long: `Post a DELTA that gives a test its result: status, last_run and evidence_refs. A test that passed or failed was run and
has an outcome, one of the labels that its hypotheses expect; one that is blocked or ended in an error has none.`,
		Example: "  brenner result record RS-20260110-cells-turn T1 --outcome kept --evidence EV-003\n" +
			"  brenner result record RS-20260110-cells-turn T2 --status blocked --note 'The dye is sold out.'",
		Args:              exactly("T", "TEST"),
		ValidArgsFunction: a.completeItems(artifact.DiscriminativeTests),
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Outcome, "outcome", "", "`TEXT` of the outcome")
	flags.StringVar(&req.Status, "status", "", "passed, failed, blocked or error (default: passed)")
	flags.StringArrayVar(&req.Evidence, "evidence", nil, "source `EV-nnn` of the pack that shows it (repeatable)")
	flags.BoolVar(&req.Exploratory, "exploratory", false, "a first look: no prediction is held against it")
	flags.StringVar(&req.Note, "note", "", "what else is to be said")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		if flags.Changed("status") && req.Status == "" {
			return nil, usageFor(cmd, "--status is empty")
		}
		req.ThreadID, req.Test = args[0], args[1]
		var err error
		if req.As, err = a.sender(ctx, p); err != nil {
			return nil, err
		}
		done, err := p.Sessions.RecordResult(ctx, req)
		if err != nil && done.Receipt == nil {
			return nil, err
		}
		return resultReport{RecordedResult: done}, err
	}))
}

type resultReport struct {
	session.RecordedResult
	ExitCode *int `json:"exit_code,omitempty"` // of a run
}

func (r resultReport) show(p *printer) {
	p.findings(r.Findings, nil)
	outcome := ""
	if r.Outcome != nil {
		outcome = ": " + *r.Outcome
	}
	p.print("%s %s%s\n", visible(r.Test), r.Status, visible(outcome))
	for _, id := range r.Evidence {
		p.print("  evidence %s\n", visible(id))
	}
	if r.MessageID == nil {
		p.note("nothing was posted")
		return
	}
	p.print("message %d on %s\n", *r.MessageID, visible(r.ThreadID))
	p.next("brenner", "predictions", r.ThreadID)
}
