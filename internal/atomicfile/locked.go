package atomicfile

import (
	"os"
	"path/filepath"
)

// Locked has do read and replace a file while no other process that asks so does: path is a file of its own, which stays. Its folder is
// made if it is missing.
func Locked(path string, do func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close() // which ends the lock
	lock(f)
	return do()
}
