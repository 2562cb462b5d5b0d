package connect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
)

// record remembers what connecting changed. It holds whole files: settings are small, and only
// so can every byte come back.
type record struct {
	Program Program      `json:"program"`
	Files   []fileRecord `json:"files"`
}

type fileRecord struct {
	Path     string   `json:"path"`
	Existed  bool     `json:"existed"`
	Before   []byte   `json:"before"`
	Inserted string   `json:"inserted"`
	After    string   `json:"after"` // SHA-256, hex
	Folders  []string `json:"folders"`
}

// Apply writes the plan: first the record, then each file. If one cannot be written those before
// it are put back.
func (p *Plan) Apply() error {
	if len(p.Changes) == 0 {
		return nil
	}
	r, _, err := load(p.places.record(p.Program))
	if err != nil {
		return err
	}
	r.Program = p.Program
	kept := len(r.Files) // of an earlier run, such as settings whose skill files a person removed since
	for i := range p.Changes {
		c := &p.Changes[i]
		path := resolved(c.Path)
		r.Files = append(r.Files, fileRecord{
			Path: path, Existed: c.exists, Before: c.before, Inserted: c.edit.text,
			After: digest(c.edit.apply(c.before)), Folders: missingFolders(path),
		})
	}
	if err := r.save(p.places.record(p.Program)); err != nil {
		return err
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		if err := atomicfile.Write(resolved(c.Path), c.edit.apply(c.before), 0o644); err != nil {
			undone := r.undo(kept)
			return errors.Join(protocol.Errorf(protocol.Unreadable, "cannot write %s: %w", c.Path, err), undone)
		}
	}
	return nil
}

// resolved follows links, so that a link to a person's settings stays one.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// missingFolders lists the folders that writing a file will make, innermost first.
func missingFolders(path string) []string {
	var missing []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return missing
		}
		missing = append(missing, dir)
	}
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func load(path string) (r record, exists bool, err error) {
	data, exists, err := read(path)
	if err != nil || !exists {
		return r, exists, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, true, protocol.Errorf(protocol.InvalidInput, "%s, which remembers what connect changed, is damaged: %w", path, err)
	}
	return r, true, nil
}

// save keeps the record from others' eyes: settings may hold secrets.
func (r *record) save(path string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if dir := filepath.Dir(path); filepath.Base(dir) == ".brenner" {
		if err := ownFolder(dir); err != nil {
			return protocol.Errorf(protocol.Unreadable, "cannot write %s: %w", path, err)
		}
	}
	if err := atomicfile.Write(path, append(data, '\n'), 0o600); err != nil {
		return protocol.Errorf(protocol.Unreadable, "cannot write %s: %w", path, err)
	}
	return nil
}

// ownFolder makes the project's folder for brenner, closed to others and ignored by git.
func ownFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600)
}

// Restored is a file that disconnecting put back.
type Restored struct {
	Path    string
	Removed bool // it was not there before
	Edited  bool // it was edited since: the insertion was taken out, the edits stay
}

// Disconnect undoes what Apply did: a file that is as connect left it comes back byte for byte;
// from one that was edited since the insertion is taken out. NOT_FOUND: the program is not
// connected. CONFLICT: in an edited file the insertion is not there as it was; nothing is changed.
func Disconnect(program Program, places Places) ([]Restored, error) {
	path := places.record(program)
	r, exists, err := load(path)
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, protocol.Errorf(protocol.NotFound, "%s is not connected", program)
	}
	steps, err := r.steps(0)
	if err != nil {
		return nil, err
	}
	var done []Restored
	for i := len(steps) - 1; i >= 0; i-- {
		if err := steps[i].run(); err != nil {
			return done, protocol.Errorf(protocol.Unreadable, "cannot put %s back: %w", steps[i].file.Path, err)
		}
		done = append(done, steps[i].restored())
	}
	if err := os.Remove(path); err != nil {
		return done, protocol.Errorf(protocol.Unreadable, "cannot remove %s: %w", path, err)
	}
	for i := range steps { // the record itself may have been in one of them
		steps[i].sweep()
	}
	return done, nil
}

// undo puts back the files from an index on.
func (r *record) undo(from int) error {
	steps, err := r.steps(from)
	for i := len(steps) - 1; i >= 0 && err == nil; i-- {
		err = steps[i].run()
	}
	return err
}

// step is what undoing means for one file.
type step struct {
	file   *fileRecord
	text   []byte
	edited bool
	gone   bool // the file is not there any more, or was never written
}

func (r *record) steps(from int) ([]step, error) {
	var steps []step
	for i := from; i < len(r.Files); i++ {
		s, err := r.Files[i].step()
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func (f *fileRecord) step() (step, error) {
	now, exists, err := read(f.Path)
	switch {
	case err != nil:
		return step{}, err
	case !exists, f.Existed && bytes.Equal(now, f.Before):
		return step{file: f, gone: true}, nil
	case digest(now) == f.After:
		return step{file: f, text: f.Before}, nil
	}
	rest, ok := remove(now, f.Inserted)
	if !ok {
		return step{}, protocol.Errorf(protocol.Conflict,
			"%s was edited since, and what connect wrote is not there as it was; take the server %s out by hand", f.Path, serverName)
	}
	return step{file: f, text: rest, edited: true}, nil
}

func (s *step) run() error {
	switch {
	case s.gone:
	case s.removes():
		if err := os.Remove(s.file.Path); err != nil {
			return err
		}
	default:
		return atomicfile.Write(s.file.Path, s.text, 0o644)
	}
	s.sweep()
	return nil
}

// sweep removes the folders that connecting made, unless they hold other files.
func (s *step) sweep() {
	for _, dir := range s.file.Folders {
		if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// removes tells whether the file goes: it was not there before, and nothing was added to it.
func (s *step) removes() bool { return !s.file.Existed && len(bytes.TrimSpace(s.text)) == 0 }

func (s *step) restored() Restored {
	return Restored{s.file.Path, s.removes() || s.gone && !s.file.Existed, s.edited}
}
