package atomicfile_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"brenner/internal/atomicfile"
)

func TestWriteReplacesAndLeavesNothingBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "file.md")
	for _, text := range []string{"one", "two, longer", ""} {
		if err := atomicfile.Write(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Fatalf("read %q, %v; want %q", got, err, text)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Fatalf("folder holds %v, %v; want the one file", entries, err)
	}
}

func TestWriteKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestWriteThatFailsKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, []byte("x"), 0o644); err == nil {
		t.Fatal("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
}

// TestWriteSweepsWhatKilledWritersLeft has one file of a writer that is gone, one of a writer that is
// still at work, and files of other names.
func TestWriteSweepsWhatKilledWritersLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "T.md")
	for _, name := range []string{".T.md.12345.tmp", ".T.md.x.tmp", ".U.md.12345.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := atomicfile.Fill(path, 0o644, func(w io.Writer) error {
		if err := atomicfile.Write(path, []byte("faster"), 0o644); err != nil { // sweeps while this one writes
			return err
		}
		_, err := io.WriteString(w, "slower")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{".T.md.x.tmp", ".U.md.12345.tmp", "T.md"}
	if runtime.GOOS == "windows" { // no locks
		want = append([]string{".T.md.12345.tmp"}, want...)
	}
	if !slices.Equal(names, want) {
		t.Errorf("the folder holds %v; want %v", names, want)
	}
	if got, _ := os.ReadFile(path); string(got) != "slower" {
		t.Errorf("the file holds %q", got)
	}
}
