//go:build !linux

package runner

import "errors"

// punchHole is not supported here.
func punchHole(string, int64, int64) error { return errors.ErrUnsupported }
