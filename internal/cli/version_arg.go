package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// parseVersion reads a version as people write it: 2 or v2.
func parseVersion(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(text, "v"))
	if err != nil || n < 0 {
		return 0, usageError("%q is not a version; write 2 or v2", text)
	}
	return n, nil
}

// versionFlag gives a command the flag that names a version of a thread.
func versionFlag(a *app, cmd *cobra.Command, version *string) {
	cmd.Flags().StringVar(version, "version", "", "version `N` of the thread (2 or v2); default: the latest")
	completeFlag(cmd, "version", a.completeOfSession(completeVersions))
}

// versionGiven reads what that flag was given; nil: nothing.
func versionGiven(text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := parseVersion(text)
	if err == nil && n == 0 {
		err = usageError("versions are counted from 1")
	}
	return &n, err
}
