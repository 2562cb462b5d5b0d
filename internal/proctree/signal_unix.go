//go:build unix

package proctree

import "syscall"

// ask asks a process to end. One that is stopped has to run to hear it.
func ask(pid int) {
	_ = syscall.Kill(pid, syscall.SIGTERM) // it may be gone
	_ = syscall.Kill(pid, syscall.SIGCONT)
}

func hangUp(pid int) { _ = syscall.Kill(pid, syscall.SIGHUP) }

func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
