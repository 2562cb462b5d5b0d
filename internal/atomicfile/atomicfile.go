// Package atomicfile replaces files so that a reader, or a machine that stops in the middle,
// sees either the old content or the new one, never a part.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data at path: into a temporary file beside it, synced, then renamed over it. The
// folder is made if it is missing. An existing file keeps its permissions; a new one gets perm.
func Write(path string, data []byte, perm fs.FileMode) error {
	return Fill(path, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Fill is Write for what is too large to hold: fill writes it. After an error of fill the old
// content stands.
func Fill(path string, perm fs.FileMode, fill func(w io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		perm = info.Mode().Perm()
	}
	temp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	err = errors.Join(settle(temp, perm, fill), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return syncDir(dir)
}

func settle(f *os.File, perm fs.FileMode, fill func(w io.Writer) error) error {
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Chmod(perm); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir makes the rename itself durable. Some systems cannot sync a folder; there the
// rename is as durable as they make it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	_ = d.Sync()
	return d.Close()
}
