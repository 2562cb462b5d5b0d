//go:build unix

package acp

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program into a process group of its own: a signal to this process does not end it before it was told.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(pid int) {
	if pid > 1 {
		_ = syscall.Kill(-pid, syscall.SIGKILL) // there may be no process left
	}
}
