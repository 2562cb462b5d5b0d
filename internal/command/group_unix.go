//go:build unix

package command

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup gives a command a process group of its own, and ends the whole group when its time is over:
// it is asked to end, and after the grace killed.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		group := -cmd.Process.Pid
		err := syscall.Kill(group, syscall.SIGTERM)
		time.AfterFunc(grace, func() { _ = syscall.Kill(group, syscall.SIGKILL) })
		return err
	}
}
