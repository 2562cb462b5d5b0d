package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newHelpReference prints doc/cli.md; make docs calls it.
func newHelpReference(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "reference",
		Short:   "Print the reference of all commands as Markdown",
		Example: "  brenner help reference > cli.md",
		Args:    exactly(),
		Hidden:  true,
	}
	return a.command(cmd, func(context.Context, []string) (report, error) {
		return helpReport{reference(cmd.Root())}, nil
	})
}

// reference writes every command with its help page, in the order of the tree.
func reference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nMade by `make docs` from the command tree.\n\n")
	all := commands(root)
	for _, cmd := range all {
		path := cmd.CommandPath()
		fmt.Fprintf(&b, "- [`%s`](#%s): %s\n", path, strings.ReplaceAll(path, " ", "-"), cmd.Short)
	}
	for _, cmd := range all {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", cmd.CommandPath(), helpText(cmd))
	}
	return b.String()
}
