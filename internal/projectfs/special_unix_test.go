//go:build unix

package projectfs_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// TestSpecialFilesDoNotBlock opens what would keep a plain reader waiting, or never end.
func TestSpecialFilesDoNotBlock(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := projectfs.At(dir).Read("pipe", 100); protocol.CodeOf(err) != protocol.Unreadable {
		t.Errorf("a pipe in the project: %v", err)
	}
	for _, path := range []string{pipe, "/dev/zero", "/dev/null", dir} {
		if _, err := projectfs.ReadFile(path, 100); protocol.CodeOf(err) != protocol.Unreadable {
			t.Errorf("%s: %v", path, err)
		}
	}
	// What is in the way of a write is replaced without being opened.
	if err := projectfs.At(dir).Write("pipe", []byte("x"), 0o644); err != nil {
		t.Error(err)
	}
}
