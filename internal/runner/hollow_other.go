//go:build !linux

package runner

import "errors"

// hollow cannot be done here.
func hollow(string, int64, int64) error { return errors.ErrUnsupported }
