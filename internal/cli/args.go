package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// exactly wants one argument for each name and says which one is missing. An empty
// argument is a value.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usageFor(cmd, "%s is missing", names[len(args)])
		case len(args) > len(names):
			return usageFor(cmd, "there is an argument too many: %q", args[len(names)])
		}
		return nil
	}
}

// usageFor says what is wrong with a command line, and where to read on.
func usageFor(cmd *cobra.Command, format string, args ...any) error {
	return usageError("%s; see %s --help", fmt.Sprintf(format, args...), cmd.CommandPath())
}

// required makes flags mandatory. Their empty value is a value.
func required(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag was defined a line above
		}
	}
}
