package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// exactly wants one argument for each name and says which one is missing. An empty
// argument is a value.
func exactly(names ...string) cobra.PositionalArgs { return between(names) }

// between wants an argument for each required name, and takes those behind them.
func between(required []string, optional ...string) cobra.PositionalArgs {
	most := len(required) + len(optional)
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(required) && threadMayBeMissing(cmd, len(required)-len(args)):
			return nil
		case len(args) < len(required):
			return usageFor(cmd, "%s is missing", required[len(args)])
		case len(args) > most:
			return usageFor(cmd, "there is an argument too many: %q", args[most])
		}
		return nil
	}
}

// atLeast wants an argument for each name, and takes any number of the last.
func atLeast(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return between(names)(cmd, args[:min(len(args), len(names))])
	}
}

// usageFor says what is wrong with a command line, and where to read on.
func usageFor(cmd *cobra.Command, format string, args ...any) error {
	return usageError(format+"; see %s --help", append(slices.Clone(args), cmd.CommandPath())...)
}

// required makes flags mandatory. Their empty value is a value.
func required(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag was defined a line above
		}
	}
}
