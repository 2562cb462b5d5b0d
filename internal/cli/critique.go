package cli

import "github.com/spf13/cobra"

func newCritique(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "critique",
		Short: "Work through the review queue of a session",
		Long: `The review queue holds the CRITIQUE messages of a session and the open items of its critique
section. A message is open until an accepted DELTA answers it (a reply to it, or **Action**: Response to
#ID), or critique answer records a rebuttal.`,
		Example: "  brenner critique list RS-20260110-cells-turn\n  brenner critique answer 7 --body 'The dye control of T1 covers this.'",
	}, newCritiqueList(a), newCritiqueShow(a), newCritiqueAnswer(a), newCritiquePromote(a))
}
