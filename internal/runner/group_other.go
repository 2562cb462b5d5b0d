//go:build !unix

package runner

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// terminate and kill end the one process that is known here.
func terminate(pid int) { kill(pid) }

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil && pid > 1 {
		_ = p.Kill() // it may have ended
	}
}
