package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/session"
)

func newResultWithdraw(a *app) *cobra.Command {
	var req session.WithdrawRequest
	cmd := &cobra.Command{
		Use:   "withdraw T TEST --message N --reason TEXT",
		Short: "Withdraw a result, so that it no longer stands",
		Long: `Post a DELTA that takes a result away. It stays in every list, with who withdrew it and why; what it had replaced does
not come back.`,
		Example:           "  brenner result withdraw RS-20260110-cells-turn T1 --message 12 --reason 'The buffer was spoiled.'",
		Args:              exactly("T", "TEST"),
		ValidArgsFunction: a.completeItems(artifact.DiscriminativeTests),
	}
	flags := cmd.Flags()
	flags.Int64Var(&req.Message, "message", 0, "number `N` of the message that gave the result")
	flags.StringVar(&req.Reason, "reason", "", "why it is withdrawn")
	flags.StringArrayVar(&req.Evidence, "evidence", nil, "source `EV-nnn` of the pack that shows it (repeatable)")
	completeFlag(cmd, "evidence", a.completeSources)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		if req.Message <= 0 {
			return nil, usageFor(cmd, "--message is missing: the number of the message that gave the result")
		}
		req.ThreadID, req.Test = args[0], args[1]
		var err error
		if req.As, err = a.sender(ctx, p); err != nil {
			return nil, err
		}
		done, err := p.Sessions.WithdrawResult(ctx, req)
		if err != nil && len(done.Findings) == 0 {
			return nil, err
		}
		return withdrawnReport{done}, err
	}))
}

type withdrawnReport struct{ session.WithdrawnResult }

func (r withdrawnReport) show(p *printer) {
	p.findings(r.Findings, nil)
	if r.MessageID == nil {
		p.note("nothing was posted")
		return
	}
	p.print("the result of %s in message %d is withdrawn\n", visible(r.Test), r.Withdraws)
	p.print("message %d on %s\n", *r.MessageID, visible(r.ThreadID))
	p.next("brenner", "result", "list", r.ThreadID)
}
