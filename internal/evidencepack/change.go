package evidencepack

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
)

// A change of the pack is all or nothing: its files and the new index are written into a staging folder,
// which is renamed when it is complete. From then on the change counts: the next process moves the
// files to their places if this one did not live to do it. A staging folder that was not renamed is
// nothing.
const (
	stagedDir = ".staged"
	readyDir  = ".ready"
)

// put is a file that a change writes.
type put struct {
	name string
	data []byte
	from *os.File                      // instead of data
	open func() (io.ReadCloser, error) // instead of both
}

// change lets one writer at a time change the pack. do returns the files to write, the index among them.
func (p *Pack) change(do func() ([]put, error)) error {
	return p.changeWith(do, func() error { return nil })
}

// changeWith is change for one that depends on something else: that is done when all files are written
// and before they count.
func (p *Pack) changeWith(do func() ([]put, error), other func() error) error {
	if _, err := os.Stat(p.folder.Path()); err != nil {
		return protocol.Errorf(protocol.Unwritable, "the project's folder is not there: %w", err)
	}
	root, err := os.OpenRoot(p.folder.Path())
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "the project's folder cannot be opened: %w", err)
	}
	defer root.Close()
	made := root.Mkdir(Dir, 0o755) == nil
	err = p.locked(root, func(pack *os.Root) error {
		puts, err := do()
		if err != nil {
			return err
		}
		if len(puts) == 0 {
			return other()
		}
		if err := p.stage(pack, puts, other); err != nil {
			return errors.Join(err, pack.RemoveAll(stagedDir))
		}
		return p.finish(pack)
	})
	if err != nil && made {
		_ = root.Remove(Dir) // only if it is empty
	}
	return err
}

// locked opens the folder of the pack, waits for other writers and brings their work to its end.
func (p *Pack) locked(root *os.Root, do func(pack *os.Root) error) error {
	folder, err := root.OpenFile(Dir, os.O_RDONLY, 0)
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "%s cannot be opened: %w", Dir, err)
	}
	defer folder.Close()
	if err := lockFolder(folder); err != nil {
		return protocol.Errorf(protocol.Unwritable, "%s cannot be locked: %w", Dir, err)
	}
	pack, err := root.OpenRoot(Dir)
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "%s cannot be opened: %w", Dir, err)
	}
	defer pack.Close()
	if err := p.finish(pack); err != nil {
		return err
	}
	if err := pack.RemoveAll(stagedDir); err != nil {
		return protocol.Errorf(protocol.Unwritable, "%s/%s cannot be removed: %w", Dir, stagedDir, err)
	}
	return do(pack)
}

// recover finishes a change whose process did not.
func (p *Pack) recover() error {
	if _, err := p.folder.Stat(Dir + "/" + readyDir); err != nil {
		return nil
	}
	root, err := os.OpenRoot(p.folder.Path())
	if err != nil {
		return protocol.Errorf(protocol.Unreadable, "the project's folder cannot be opened: %w", err)
	}
	defer root.Close()
	return p.locked(root, func(*os.Root) error { return nil })
}

func (p *Pack) step(name string) {
	if p.steps != nil {
		p.steps(name)
	}
}

// stage writes the files of a change and makes it count.
func (p *Pack) stage(pack *os.Root, puts []put, other func() error) error {
	p.step("begin")
	if err := pack.Mkdir(stagedDir, 0o755); err != nil {
		return unwritable(err)
	}
	for _, f := range puts {
		p.step("write " + path.Ext(f.name))
		if err := write(pack, path.Join(stagedDir, f.name), f); err != nil {
			return err
		}
	}
	if err := other(); err != nil {
		return err
	}
	p.step("commit")
	return unwritable(pack.Rename(stagedDir, readyDir))
}

func write(pack *os.Root, name string, f put) error {
	return unwritable(atomicfile.FillIn(pack, filepath.FromSlash(name), 0o644, f.copyTo))
}

// finish moves the files of a change that counts to their places, the index last.
func (p *Pack) finish(pack *os.Root) error {
	entries, err := fs.ReadDir(pack.FS(), readyDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unwritable(err)
	}
	index := path.Base(indexName)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		if (a.Name() == index) != (b.Name() == index) {
			if a.Name() == index {
				return 1
			}
			return -1
		}
		return 0
	})
	for _, e := range entries {
		p.step("move " + path.Ext(e.Name()))
		if err := pack.Rename(path.Join(readyDir, e.Name()), e.Name()); err != nil {
			return unwritable(err)
		}
	}
	p.step("end")
	return unwritable(pack.Remove(readyDir))
}

func unwritable(err error) error {
	if err == nil {
		return nil
	}
	if protocol.CodeOf(err) != protocol.Internal {
		return err
	}
	return protocol.Errorf(protocol.Unwritable, "the evidence folder cannot be written: %w", err)
}
