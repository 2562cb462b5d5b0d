package cli

import "github.com/spf13/cobra"

func newResult(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "result",
		Short:   "Record, run, withdraw and list results of tests",
		Example: "  brenner result list RS-20260110-cells-turn",
	}, newResultRecord(a), newResultRun(a), newResultWithdraw(a), newResultList(a))
}
