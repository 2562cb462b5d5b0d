package projectfs_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// newProject has files, links that stay inside, and links that lead out.
func newProject(t *testing.T) (projectfs.Folder, string) {
	t.Helper()
	outside, root := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"), "secret")
	write(t, filepath.Join(root, "notes", "a.md"), "0123456789")
	for link, target := range map[string]string{
		"inside.md": filepath.Join("notes", "a.md"), "out.md": filepath.Join(outside, "secret"),
		"out": outside, "up.md": filepath.Join("..", filepath.Base(outside), "secret"), "nowhere.md": "gone",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	return projectfs.At(root), outside
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	folder, _ := newProject(t)
	for _, c := range []struct {
		name  string
		limit int64
		want  protocol.Code // empty: it is read
	}{
		{"notes/a.md", 10, ""},
		{"inside.md", 10, ""},
		{"notes/a.md", 9, protocol.InvalidInput},
		{"notes", 10, protocol.Unreadable},
		{"notes/b.md", 10, protocol.NotFound},
		{"nowhere.md", 10, protocol.NotFound},
		{"out.md", 10, protocol.NotAllowed},
		{"up.md", 10, protocol.NotAllowed},
		{"out/secret", 10, protocol.NotAllowed},
		{"../secret", 10, protocol.NotAllowed},
		{"/etc/passwd", 10, protocol.NotAllowed},
		{"", 10, protocol.NotAllowed},
	} {
		data, err := folder.Read(c.name, c.limit)
		switch {
		case c.want == "" && (err != nil || string(data) != "0123456789"):
			t.Errorf("%s: read %q, %v", c.name, data, err)
		case c.want != "" && (err == nil || protocol.CodeOf(err) != c.want):
			t.Errorf("%s: read %q, %v; want %s", c.name, data, err, c.want)
		}
		if c.want == protocol.NotFound && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v is not fs.ErrNotExist", c.name, err)
		}
	}
}

func TestWriteStaysInside(t *testing.T) {
	folder, outside := newProject(t)
	if err := folder.Write("out/planted", []byte("x"), 0o644); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("wrote through a link: %v", err)
	}
	if err := folder.Write("out.md", []byte("mine"), 0o644); err != nil { // the link is replaced
		t.Error(err)
	}
	if err := folder.Write("new/deep/b.md", []byte("b"), 0o644); err != nil {
		t.Error(err)
	}
	if data, err := folder.Read("out.md", 100); err != nil || string(data) != "mine" {
		t.Errorf("read back %q, %v", data, err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside holds %v", entries)
	}
	if text, _ := os.ReadFile(filepath.Join(outside, "secret")); string(text) != "secret" {
		t.Errorf("the file outside holds %q", text)
	}
}

// TestFillKeepsTheCallersError is about errors that are not of the file system.
func TestFillKeepsTheCallersError(t *testing.T) {
	folder, _ := newProject(t)
	own := errors.New("the store is gone")
	err := folder.Fill("notes/a.md", 0o644, func(io.Writer) error { return own })
	if !errors.Is(err, own) {
		t.Errorf("got %v", err)
	}
	if data, _ := folder.Read("notes/a.md", 10); string(data) != "0123456789" {
		t.Errorf("the old content became %q", data)
	}
}

func TestListOpensNothing(t *testing.T) {
	folder, _ := newProject(t)
	entries, err := folder.List(".")
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); err != nil || got != "inside.md notes nowhere.md out out.md up.md" {
		t.Errorf("listed %s, %v", got, err)
	}
	if _, err := folder.List("out"); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("listed a folder outside: %v", err)
	}
	if _, err := folder.List("absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("listed nothing: %v", err)
	}
}

// TestName reaches a project by its own path and by a link to it.
func TestName(t *testing.T) {
	folder, outside := newProject(t)
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(folder.Path(), alias); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(folder.Path(), "notes", "a.md"), filepath.Join(alias, "notes", "x", "..", "a.md")} {
		if name, err := folder.Name(path); err != nil || name != "notes/a.md" {
			t.Errorf("%s: %q, %v", path, name, err)
		}
	}
	for _, path := range []string{filepath.Join(outside, "secret"), folder.Path(), filepath.Join(folder.Path(), "..", "x")} {
		if name, err := folder.Name(path); protocol.CodeOf(err) != protocol.NotAllowed {
			t.Errorf("%s: %q, %v", path, name, err)
		}
	}
}
