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
// content is kept.
func Fill(path string, perm fs.FileMode, fill func(w io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return FillIn(root, filepath.Base(path), perm, fill)
}

// FillIn is Fill for a file below root, in a folder that is there. It follows no link out of root.
// What killed writers of the same file have left behind is removed.
func FillIn(root *os.Root, name string, perm fs.FileMode, fill func(w io.Writer) error) error {
	if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
		perm = info.Mode().Perm()
	}
	sweep(root, name)
	temp, file, err := createTemp(root, name)
	if err != nil {
		return err
	}
	defer file.Close() // after the rename: the lock keeps others from taking it for abandoned
	if err = complete(file, perm, fill); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return syncDir(root, filepath.Dir(name))
}

func complete(f *os.File, perm fs.FileMode, fill func(w io.Writer) error) error {
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return closeForRename(f)
}

// syncDir makes the rename itself durable. Some systems cannot sync a folder; there the
// rename is as durable as they make it.
func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	_ = d.Sync()
	return d.Close()
}
