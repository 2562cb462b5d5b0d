package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"brenner/internal/store/sqlite"
)

// TestCheckFindsDamage: the engine says what is wrong with a file whose middle was overwritten.
func TestCheckFindsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.db")
	l := newLab(t, path, sqlite.Options{})
	for range 50 {
		if err := l.send(3000); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := l.Check(t.Context()); err != nil || len(found) > 0 {
		t.Fatalf("a whole store: %q, %v", found, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(data) / 2; i < len(data); i++ {
		data[i] = 0xa5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if found, err := s.Check(t.Context()); err == nil && len(found) == 0 {
		t.Error("nothing is found")
	}
}
