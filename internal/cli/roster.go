package cli

import "github.com/spf13/cobra"

func newRoster(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "roster",
		Short:   "Show and check who takes part in which role",
		Example: "  brenner roster show --explain\n  brenner roster presets",
	}, newRosterShow(a), newRosterValidate(a), newRosterPresets(a))
}
