package cli

import "github.com/spf13/cobra"

func newArtifact(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "artifact",
		Short:   "Show and compare artifacts",
		Example: "  brenner artifact show artifacts/RS-20251230-cell-fate-dichotomy.md",
	}, newArtifactShow(a), newArtifactDiff(a))
}
