package cli

import "github.com/spf13/cobra"

func newThread(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "thread",
		Short:   "List, show, export and import threads",
		Example: "  brenner thread list\n  brenner thread export RS-20260110-cell-fate -o thread.jsonl",
	}, newThreadList(a), newThreadShow(a), newThreadExport(a), newThreadImport(a))
}
