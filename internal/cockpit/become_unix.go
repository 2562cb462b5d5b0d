//go:build unix

package cockpit

import (
	"context"
	"os"
	"syscall"
	"time"

	"brenner/internal/protocol"
)

// become replaces this process, so that the pane's process is the program itself.
func become(args, env []string) error { return syscall.Exec(args[0], args, env) }

// lock keeps two commands on one thread apart until unlock: the later one waits. TIMED_OUT: too long.
func lock(ctx context.Context, file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", file, err)
	}
	unlock = func() { _ = f.Close() } // closing unlocks, and nothing was written
	ctx, cancel := context.WithTimeoutCause(ctx, lockPatience,
		protocol.Errorf(protocol.TimedOut, "another command has been starting or stopping this session for %v", lockPatience))
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		select {
		case <-ctx.Done():
			unlock()
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
	}
	return unlock, nil
}

// lockPatience is longer than any start or stop takes.
const lockPatience = time.Minute
