//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// lock marks a file as being written until it is closed or its process ends. Where the file system
// knows no locks, tryLock fails too and nothing is swept.
func lock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// tryLock tells whether no process writes the file.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// closeForRename leaves the file open, and with it locked.
func closeForRename(*os.File) error { return nil }
