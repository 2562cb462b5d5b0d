//go:build unix

package cockpit

import (
	"os"
	"syscall"

	"brenner/protocol"
)

// become replaces this process, so that the pane's process is the program itself.
func become(args, env []string) error { return syscall.Exec(args[0], args, env) }

// lock keeps two commands on one thread apart until unlock. CONFLICT: another is at work.
func lock(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", file, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		return nil, protocol.Errorf(protocol.Conflict, "another command starts or stops this session right now")
	}
	return func() { _ = f.Close() }, nil // closing unlocks
}
