package cli

import "github.com/spf13/cobra"

func newArtifact(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "artifact",
		Short:   "Show artifacts, their versions, and who wrote what",
		Example: "  brenner artifact show RS-20251230-cell-fate-dichotomy\n  brenner artifact history RS-20251230-cell-fate-dichotomy",
	}, newArtifactShow(a), newArtifactHistory(a), newArtifactDiff(a), newArtifactBlame(a), newArtifactSupport(a), newArtifactCite(a))
}
