//go:build !unix

package command

import "os/exec"

// watchdog is nothing where there are no process groups.
type watchdog struct{}

func watch(*exec.Cmd) *watchdog { return nil }

func (*watchdog) stop() {}
