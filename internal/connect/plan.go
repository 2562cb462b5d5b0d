package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/protocol"
)

// Change is one file that connecting would change.
type Change struct {
	Path   string
	Diff   string
	exists bool
	before []byte
	edit   insertion
}

// Created tells whether the file is new.
func (c *Change) Created() bool { return !c.exists }

// Plan is what connecting a program means. Nothing was written yet.
type Plan struct {
	Program Program
	Changes []Change // empty: it is connected already
	Notes   []string // what is left to a person
	places  Places
}

// NewPlan reads the program's settings and works out the change. CONFLICT: another server has the
// name, or a file of that name is in the way. INVALID_INPUT: the settings cannot be edited.
func NewPlan(program Program, places Places, t Target) (*Plan, error) {
	p := &Plan{Program: program, places: places}
	if err := p.settings(t); err != nil {
		return nil, err
	}
	if err := p.allow(t); err != nil {
		return nil, err
	}
	for _, role := range protocol.Roles() {
		if err := p.skill(role); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Plan) settings(t Target) error {
	path := p.places.settings(p.Program)
	before, exists, err := read(path)
	if err != nil {
		return err
	}
	var edit insertion
	if p.Program == Codex {
		edit, err = tomlInsertion(path, before, t)
	} else {
		edit, err = jsonInsertion(path, before, entryFor(p.Program, t))
	}
	if err != nil {
		return err
	}
	p.add(path, exists, before, edit)
	return nil
}

// skill adds a role's skill file, unless the person has one of that name.
func (p *Plan) skill(role protocol.Role) error {
	name, text := skillFile(role)
	path := filepath.Join(p.places.skills(p.Program), name, "SKILL.md")
	_, exists, err := read(path)
	if err != nil || exists {
		return err
	}
	p.add(path, false, nil, insertion{0, text})
	return nil
}

func (p *Plan) add(path string, exists bool, before []byte, edit insertion) {
	if edit.text == "" {
		return
	}
	p.Changes = append(p.Changes, Change{Path: path, Diff: edit.show(path, before), exists: exists, before: before, edit: edit})
}

// most is more than any settings a person wrote.
const maxSettings = 4 << 20

func read(path string) (text []byte, exists bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSettings) {
		return nil, true, protocol.Errorf(protocol.InvalidInput, "%s is not a file of settings", path)
	}
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, true, protocol.Errorf(protocol.Unreadable, "cannot read %s: %w", path, err)
	}
	return text, true, nil
}
