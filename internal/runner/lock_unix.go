//go:build unix

package runner

import (
	"errors"
	"os"
	"syscall"
)

// lock takes an exclusive lock that lasts as long as the runner has this open file. It survives no crash,
// and needs no cleaning up.
func lock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlock gives a lock back. Closing the file is not enough: a program that is just being started has the file too, for
// a moment.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
