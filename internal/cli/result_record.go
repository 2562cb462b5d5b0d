package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/session"
)

func newResultRecord(a *app) *cobra.Command {
	var req session.ResultRequest
	cmd := &cobra.Command{
		Use:   "record T TEST --outcome TEXT | --value V | --unforeseen TEXT",
		Short: "Record what a test came to",
		Long: `Post a DELTA that gives a test its result: status, last_run and evidence_refs. A test that passed or failed was run and
has an outcome, one of the labels that its hypotheses expect; a value with its error, if it measures a quantity; or
something that nobody had foreseen. One that is blocked or ended in an error has none of them. A result with
--replicates stands beside the one that it repeats; any other replaces it.`,
		Example: "  brenner result record RS-20260110-cells-turn T1 --outcome kept --evidence EV-003 --potency passed\n" +
			"  brenner result record RS-20260110-cells-turn T1 --outcome kept --replicates 12 --evidence EV-004\n" +
			"  brenner result record RS-20260110-cells-turn T3 --value '73 ± 1' --performed 2026-01-09\n" +
			"  brenner result record RS-20260110-cells-turn T2 --status blocked --note 'The dye is sold out.'",
		Args:              exactly("T", "TEST"),
		ValidArgsFunction: a.completeItems(artifact.DiscriminativeTests),
	}
	flags := cmd.Flags()
	a.resultFlags(cmd, &req)
	flags.StringVar(&req.Value, "value", "", "number with its error, such as '73 ± 1' or '73 +2 -1'")
	flags.StringVar(&req.Unforeseen, "unforeseen", "", "`TEXT` of what happened that nobody had foreseen")
	flags.StringVar(&req.Status, "status", "", "passed, failed, blocked or error (default: passed)")
	completeFlag(cmd, "status", fixed([]string{"passed", "failed", "blocked", "error"}))
	flags.StringArrayVar(&req.Evidence, "evidence", nil, "source `EV-nnn` of the pack that shows it (repeatable)")
	completeFlag(cmd, "evidence", a.completeSources)
	flags.StringVar(&req.Performed, "performed", "", "`DATE` of the experiment, such as 2026-01-09")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		if err := checkResultFlags(cmd, &req); err != nil {
			return nil, err
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

// resultFlags are the flags of everything that records a result.
func (a *app) resultFlags(cmd *cobra.Command, req *session.ResultRequest) {
	flags := cmd.Flags()
	flags.StringVar(&req.Outcome, "outcome", "", "`TEXT` of the outcome")
	flags.StringVar(&req.Potency, "potency", "", "whether the control worked: passed or failed")
	flags.BoolVar(&req.Exploratory, "exploratory", false, "a first look: no prediction is held against it")
	flags.StringVar(&req.Note, "note", "", "what else is to be said")
	flags.Int64("replicates", 0, "it repeats the result in message `N`, and stands beside it")
	completeFlag(cmd, "outcome", a.completeOfSession(completeOutcomes))
	completeFlag(cmd, "potency", fixed([]string{"passed", "failed"}))
}

// checkResultFlags refuses flags that were given without a value, and takes the result that another repeats: a 0 that was typed names
// one too, which is not there.
func checkResultFlags(cmd *cobra.Command, req *session.ResultRequest) error {
	for _, name := range []string{"outcome", "value", "unforeseen", "status", "potency", "performed"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return usageFor(cmd, "--%s is blank", name)
		}
	}
	if !cmd.Flags().Changed("replicates") {
		return nil
	}
	message, err := cmd.Flags().GetInt64("replicates")
	if err == nil && message < 0 {
		return usageFor(cmd, "--replicates is the number of a message")
	}
	req.Replicates = &message
	return err
}

type resultReport struct {
	session.RecordedResult
	ExitCode *int `json:"exit_code,omitempty"` // of a run
}

func (r resultReport) show(p *printer) {
	p.findings(r.Findings, nil)
	outcome := ""
	switch {
	case r.Outcome != nil:
		outcome = ": " + *r.Outcome
	case r.Value != nil:
		outcome = ": " + r.Value.Text()
	case r.Unforeseen != nil:
		outcome = ", unforeseen: " + *r.Unforeseen
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
