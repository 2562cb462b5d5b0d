package cli

import "github.com/spf13/cobra"

func newDelta(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "delta",
		Short:   "Work on the delta blocks of a message",
		Example: "  brenner delta fix message.md > fixed.md",
	}, newDeltaFix(a))
}
