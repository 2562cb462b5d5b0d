package cli

import "github.com/spf13/cobra"

func newSession(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "session",
		Short: "Start, watch, complete and archive research sessions",
		Example: "  brenner session start --question 'Why do cells turn?' --context 'They do.' --preset default-3-agent \\\n" +
			"    --to BlueLake --to PurpleMountain --to GreenValley\n" +
			"  brenner session status RS-20260110-cells-turn",
	}, newSessionStart(a), newSessionList(a), newSessionStatus(a), newSessionWatch(a), newSessionComplete(a),
		newSessionArchive(a), newSessionUnarchive(a))
}

func newOrchestrate(a *app) *cobra.Command {
	start := newSessionStart(a)
	return a.group(&cobra.Command{
		Use:     "orchestrate",
		Short:   "Start a session (the same as session start)",
		Example: "  brenner orchestrate start --question 'Why do cells turn?' --context 'They do.' --to BlueLake",
	}, start)
}
