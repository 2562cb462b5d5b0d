package cli

import (
	"strconv"
	"strings"
)

// parseVersion reads a version as people write it: 2 or v2.
func parseVersion(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(text, "v"))
	if err != nil || n < 0 {
		return 0, usageError("%q is not a version; write 2 or v2", text)
	}
	return n, nil
}
