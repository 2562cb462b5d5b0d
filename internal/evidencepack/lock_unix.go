//go:build unix

package evidencepack

import (
	"os"
	"syscall"
)

// lockFolder keeps other writers out until the folder is closed. The lock is on the folder itself: it
// leaves no file behind, and ends with its process.
func lockFolder(folder *os.File) error { return syscall.Flock(int(folder.Fd()), syscall.LOCK_EX) }
