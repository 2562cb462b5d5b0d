package projectfs

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
)

// Write replaces the content of a file: a reader sees the old content or the new one. Folders are
// made where they are missing. A link at the end of name is replaced, not followed.
func (f Folder) Write(name string, data []byte, perm fs.FileMode) error {
	return f.Fill(name, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Fill is Write for what is too large to hold: fill writes it. After an error of fill the old
// content is kept.
func (f Folder) Fill(name string, perm fs.FileMode, fill func(w io.Writer) error) error {
	var filling error // the caller's own, which says more than that the file cannot be written
	_, err := within(f, name, func(root *os.Root, local string) (struct{}, error) {
		err := root.MkdirAll(filepath.Dir(local), 0o755)
		if err == nil {
			err = atomicfile.FillIn(root, local, perm, func(w io.Writer) error {
				filling = fill(w)
				return filling
			})
		}
		return struct{}{}, unwritable(name, err)
	})
	return cmp.Or(filling, err)
}

// Remove takes a file away.
func (f Folder) Remove(name string) error {
	_, err := within(f, name, func(root *os.Root, local string) (struct{}, error) {
		return struct{}{}, unwritable(name, root.Remove(local))
	})
	return err
}

func unwritable(name string, err error) error {
	if err == nil {
		return nil
	}
	if e := explain(name, err); protocol.CodeOf(e) != protocol.Unreadable {
		return e
	}
	return protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", name, err)
}
