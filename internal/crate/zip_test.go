package crate_test

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

type zipEntry struct{ name, text string }

func entries(files map[string]string) []zipEntry {
	var list []zipEntry
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, zipEntry{name, files[name]})
	}
	return list
}

func without(files map[string]string, name string) map[string]string {
	rest := maps.Clone(files)
	delete(rest, name)
	return rest
}

func zipOf(t *testing.T, files map[string]string) []byte { return zipEntries(t, entries(files)) }

// zipEntries packs as any other program might: compressed, dated, in this order.
func zipEntries(t *testing.T, list []zipEntry) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, e := range list {
		w, err := archive.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, e.text)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func contents(t *testing.T, data []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, file := range archive.File {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[file.Name] = string(text)
	}
	return files
}

func unpack(t *testing.T, data []byte, dir string) {
	t.Helper()
	for name, text := range contents(t, data) {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

func repack(t *testing.T, dir string) []byte {
	t.Helper()
	files := make(map[string]string)
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return zipOf(t, files)
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

func run(t *testing.T, dir string, stdin []byte, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}
