//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a process group of its own, so that all it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks every process of a group to end; kill does not ask.
func terminate(pid int) { signalGroup(pid, syscall.SIGTERM) }
func kill(pid int)      { signalGroup(pid, syscall.SIGKILL) }

func signalGroup(pid int, s syscall.Signal) {
	if pid > 1 {
		_ = syscall.Kill(-pid, s) // there may be no process left
	}
}
