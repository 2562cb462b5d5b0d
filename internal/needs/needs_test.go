package needs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"brenner/internal/needs"
)

// outcome is a test that only remembers what it was told.
type outcome struct {
	testing.TB
	skipped, failed bool
}

func (o *outcome) Helper()               {}
func (o *outcome) Fatalf(string, ...any) { o.failed = true; panic(o) }
func (o *outcome) Skipf(string, ...any)  { o.skipped = true; panic(o) }

func (o *outcome) run(f func(testing.TB)) {
	defer func() { _ = recover() }()
	f(o)

}

func TestMissing(t *testing.T) {
	skips := filepath.Join(t.TempDir(), "skipped")
	t.Setenv("SKIPPED", skips)
	missing := func(t testing.TB) { needs.Missing(t, "tmux", errors.New("not there")) }

	t.Setenv("REQUIRE_ALL", "")
	o := &outcome{}
	if o.run(missing); !o.skipped {
		t.Error("not skipped")
	}
	if text, err := os.ReadFile(skips); err != nil || string(text) != "tmux\n" {
		t.Errorf("%q, %v", text, err)
	}
	t.Setenv("REQUIRE_ALL", "1")
	o = &outcome{}
	if o.run(missing); !o.failed {
		t.Error("not failed")
	}
}
