package main

import (
	"context"
	"os"
	"path/filepath"
)

// file is something that goes into packages.
type file struct {
	name string // in an archive, with slashes
	path string // where it is now
	mode os.FileMode
	kind kind
}

// kind says where a file belongs on a system that packages install to.
type kind int

const (
	document kind = iota
	manual
	bashCompletion
	zshCompletion
	fishCompletion
	otherCompletion
	unit
)

var completions = []struct {
	shell, name string
	kind        kind
}{
	{"bash", "brenner.bash", bashCompletion},
	{"zsh", "_brenner", zshCompletion},
	{"fish", "brenner.fish", fishCompletion},
	{"powershell", "brenner.ps1", otherCompletion},
}

// collectExtras has the program write its completions and man pages, and adds documents, the licences
// of all that is compiled in, and the unit.
func (r *release) collectExtras(ctx context.Context) error {
	host, err := r.host(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		r.add(name, filepath.Join(r.dir, name), document)
	}
	licences, err := r.licences(ctx)
	if err != nil {
		return err
	}
	if err := r.write("THIRD_PARTY_LICENSES.txt", licences, document); err != nil {
		return err
	}
	for _, c := range completions {
		script, err := output(ctx, r.work, nil, host, "completion", c.shell)
		if err != nil {
			return err
		}
		if err := r.write("completions/"+c.name, script, c.kind); err != nil {
			return err
		}
	}
	r.add("systemd/brenner.service", filepath.Join(r.dir, "packaging/files/brenner.service"), unit)
	return r.collectManual(ctx, host)
}

func (r *release) collectManual(ctx context.Context, host string) error {
	dir := filepath.Join(r.work, "man")
	if _, err := output(ctx, r.work, nil, host, "help", "man", dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir) // in the order of names
	if err != nil {
		return err
	}
	for _, e := range entries {
		r.add("man/"+e.Name(), filepath.Join(dir, e.Name()), manual)
	}
	return nil
}

func (r *release) add(name, path string, k kind) {
	r.extras = append(r.extras, file{name: name, path: path, mode: 0o644, kind: k})
}

func (r *release) write(name, text string, k kind) error {
	path := filepath.Join(r.work, "extras", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	r.add(name, path, k)
	return os.WriteFile(path, []byte(text), 0o644)
}
