//go:build !unix

package acp

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func endGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
