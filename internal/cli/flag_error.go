package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"brenner/internal/pattern"
)

// flagError says in a person's words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			return usageFor(cmd, "unknown flag: -%s", letters)
		}
		name := unknown.GetSpecifiedName()
		if nearest := nearestOf(name, flagNames(cmd)); nearest != "" {
			return usageError("unknown flag: --%s; did you mean --%s?", name, nearest)
		}
		return usageFor(cmd, "unknown flag: --%s", name)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return usageFor(cmd, "--%s needs a value", missing.GetFlag().Name)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usageError("--%s: %q %s", invalid.GetFlag().Name, invalid.GetValue(), wrongValue(invalid))
	}
	return usageError("%w", err)
}

// What the library for command lines says of flags that are missing, or that exclude each other.
var (
	missingFlags   = pattern.Lazy(`^required flag\(s\) (.*) not set$`)
	excludingFlags = pattern.Lazy(`^if any flags in the group \[(.*)\] are set none of the others can be; \[(.*)\] were all set$`)
)

// plainUsage says it in a person's words.
func plainUsage(message string) string {
	if m := missingFlags().FindStringSubmatch(message); m != nil {
		names := strings.Split(strings.ReplaceAll(m[1], `"`, "--"), "--, --")
		for i := range names {
			names[i] = "--" + strings.Trim(names[i], "-")
		}
		verb := " is missing"
		if len(names) > 1 {
			verb = " are missing"
		}
		return listed(names) + verb
	}
	if m := excludingFlags().FindStringSubmatch(message); m != nil {
		names := strings.Fields(m[2])
		for i := range names {
			names[i] = "--" + names[i]
		}
		return listed(names) + " exclude each other"
	}
	return message
}

// listed joins names as a sentence does.
func listed(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func wrongValue(invalid *pflag.InvalidValueError) string {
	switch kind := invalid.GetFlag().Value.Type(); kind {
	case "int", "int64", "uint", "float64":
		if _, err := strconv.ParseFloat(invalid.GetValue(), 64); err == nil && kind != "float64" {
			return "is not a whole number, or too large"
		}
		return "is not a number"
	case "duration":
		return "is not a time, such as 90s, 30m or 2h"
	case "bool":
		return "is neither true nor false"
	}
	return fmt.Sprintf("is not taken: %v", invalid.Unwrap())
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}
