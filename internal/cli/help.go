package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
)

// newHelp makes the help command: the page of any command, and topics of its own.
func newHelp(a *app) *cobra.Command {
	help := &cobra.Command{
		Use:     "help [COMMAND | TOPIC]",
		Short:   "Show the help of a command, or a topic",
		Example: "  brenner help validate delta\n  brenner help exit-codes",
	}
	help.AddCommand(newHelpExitCodes(a), newHelpFindings(a), newHelpEnvironment(a), newHelpMan(a), newHelpAll(a))
	help.RunE = func(cmd *cobra.Command, args []string) error {
		target, rest, _ := cmd.Root().Find(args)
		if len(rest) > 0 {
			return unknownCommand(target, rest[0])
		}
		return target.Help()
	}
	help.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		target, rest, _ := cmd.Root().Find(args)
		if len(rest) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []cobra.Completion
		for _, sub := range target.Commands() {
			if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
				names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return help
}

func newHelpAll(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "all",
		Short:   "List every command",
		Example: "  brenner help all",
		Args:    exactly(),
	}, func(context.Context, []string) (report, error) { return helpReport{helpText(a.cmd.Root())}, nil })
}
