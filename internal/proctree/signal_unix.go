//go:build unix

package proctree

import (
	"errors"
	"syscall"

	"brenner/internal/protocol"
)

// ask asks a process to end. One that is stopped has to run to hear it.
func ask(pid int) {
	_ = syscall.Kill(pid, syscall.SIGTERM) // it may be gone
	_ = syscall.Kill(pid, syscall.SIGCONT)
}

func hangUp(pid int) { _ = syscall.Kill(pid, syscall.SIGHUP) }

func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

func pause(pid int) error { return signal(pid, syscall.SIGSTOP) }

func resume(pid int) error { return signal(pid, syscall.SIGCONT) }

// signal passes a signal on; to a process that has ended meanwhile there is nothing to say.
func signal(pid int, s syscall.Signal) error {
	if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return protocol.Errorf(protocol.NotAllowed, "process %d does not take %s: %w", pid, s, err)
	}
	return nil
}
