// Package projectfs opens the files that a project names: in its settings, by a thread's id, in the
// evidence folder. Such names come from a checkout that a stranger may have written, so every
// file is opened below the project's folder, never through a link that leads out of it, only if it
// is a regular file, and read up to a bound (PROTOCOL 16).
//
//	folder := projectfs.At(root)
//	data, err := folder.Read("evidence/EV-001.md", 64<<20) // the whole file, or an error before more is read
//	f, err := folder.Open("evidence/EV-001.pdf")           // to stream: hash it, copy it
//	entries, err := folder.List("evidence")                // names without opening anything
//	err = folder.Write("evidence/index.yaml", data, 0o644) // atomic; folders are made
//
// Names are slash-separated and relative to the project. Name turns a path of the machine into one.
// OpenFile is for a path that the person at the keyboard typed: it may lie anywhere, but opening it
// never blocks either.
//
// Errors carry a code: NOT_FOUND (nothing is there; errors.Is with fs.ErrNotExist holds),
// NOT_ALLOWED (it leads out of the project), UNREADABLE (not a regular file, or no right to read it),
// INVALID_INPUT (larger than the bound), UNWRITABLE.
package projectfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"brenner/internal/protocol"
)

// Folder is a project's folder. The zero value is not usable.
type Folder struct{ path string }

// At returns the folder at path. It need not exist yet.
func At(path string) Folder { return Folder{path} }

// Path returns the folder's own path.
func (f Folder) Path() string { return f.path }

// Open opens a regular file for reading.
func (f Folder) Open(name string) (*os.File, error) {
	return within(f, name, func(root *os.Root, local string) (*os.File, error) {
		file, err := root.OpenFile(local, os.O_RDONLY|nonblock, 0)
		return regular(file, name, err)
	})
}

// OpenPlain opens a regular file that no link leads to, not even one that stays inside. NOT_ALLOWED: a link is on the way.
func (f Folder) OpenPlain(name string) (*os.File, error) {
	return within(f, name, func(root *os.Root, local string) (*os.File, error) {
		for end := range len(local) + 1 {
			if end < len(local) && !os.IsPathSeparator(local[end]) {
				continue
			}
			info, err := root.Lstat(local[:end])
			if err != nil {
				return nil, explain(name, err)
			}
			if info.Mode()&fs.ModeSymlink != 0 {
				return nil, protocol.Errorf(protocol.NotAllowed, "%s is a link, or lies behind one", name)
			}
		}
		file, err := root.OpenFile(local, os.O_RDONLY|nonblock, 0)
		return regular(file, name, err)
	})
}

// Read returns the content of a regular file of at most limit bytes.
func (f Folder) Read(name string, limit int64) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(file, name, limit)
}

// Stat describes a file, or what a link inside the project leads to.
func (f Folder) Stat(name string) (fs.FileInfo, error) {
	return within(f, name, func(root *os.Root, local string) (fs.FileInfo, error) {
		info, err := root.Stat(local)
		return info, explain(name, err)
	})
}

// List returns what a folder holds, sorted by name. Links are listed as links.
func (f Folder) List(name string) ([]fs.DirEntry, error) {
	return within(f, name, func(root *os.Root, local string) ([]fs.DirEntry, error) {
		entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(local))
		return entries, explain(name, err)
	})
}

// Name returns the name below the folder of a path of the machine. NOT_ALLOWED: it lies elsewhere.
// A folder that is reached by two paths is one folder.
func (f Folder) Name(path string) (string, error) {
	own, err := os.Stat(f.path)
	if err != nil {
		return "", explain(f.path, err)
	}
	path = filepath.Clean(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, own) {
			rel, err := filepath.Rel(dir, path)
			return filepath.ToSlash(rel), err
		}
		if dir == filepath.Dir(dir) {
			return "", leadsOut(path)
		}
	}
}

// within calls do with the open folder and the name in the system's own form.
func within[T any](f Folder, name string, do func(root *os.Root, local string) (T, error)) (T, error) {
	var none T
	local, err := filepath.Localize(name)
	if err != nil {
		return none, leadsOut(name)
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return none, explain(f.path, err)
	}
	defer root.Close()
	return do(root, local)
}

// OpenFile opens a regular file at any path for reading.
func OpenFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	return regular(file, path, err)
}

// ReadFile returns the content of a regular file at any path, of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	file, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(file, path, limit)
}

// ReadAll reads an open file of at most limit bytes. A larger one is refused by its size; one that
// grows meanwhile, at the bound.
func ReadAll(file *os.File, name string, limit int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, explain(name, err)
	}
	if info.Size() > limit {
		return nil, tooLarge(name, limit)
	}
	data := make([]byte, info.Size(), info.Size()+1) // the spare byte tells whether more came
	n, err := io.ReadFull(file, data[:cap(data)])
	switch {
	case err == nil && int64(n) > info.Size():
		return nil, protocol.Errorf(protocol.Unreadable, "%s changed while it was read", name)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
		return nil, explain(name, err)
	}
	return data[:n], nil
}

// regular lets only regular files pass. A pipe would block its reader, and a device need not end.
func regular(file *os.File, name string, err error) (*os.File, error) {
	if err != nil {
		return nil, explain(name, err)
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		return file, nil
	}
	file.Close()
	if err != nil {
		return nil, explain(name, err)
	}
	return nil, protocol.Errorf(protocol.Unreadable, "%s is %s, not a regular file", name, kind(info.Mode()))
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}

// explain gives an error of the system its code. What os.Root itself refuses carries no number of
// the system: the name leads out.
func explain(name string, err error) error {
	_, system := errors.AsType[syscall.Errno](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		missing := protocol.Errorf(protocol.NotFound, "there is no file %s", name)
		missing.Err = fs.ErrNotExist
		return missing
	case !system:
		return leadsOut(name)
	}
	return protocol.Errorf(protocol.Unreadable, "cannot read %s: %w", name, err)
}

func leadsOut(name string) error {
	return protocol.Errorf(protocol.NotAllowed, "%s leads out of the project", name)
}

func tooLarge(name string, limit int64) error {
	return protocol.Errorf(protocol.InvalidInput, "%s is larger than %d bytes", name, limit)
}
