// Package needs decides what a test does where a program that it starts is not installed: it is skipped
// and counted, or it fails where everything is required.
package needs

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Program skips the test if a program is not installed.
func Program(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		Missing(t, name, err)
	}
}

// Missing skips the test, or fails it if REQUIRE_ALL is set. What is missing is noted in the file
// that SKIPPED names, for the one line at the end of make test.
func Missing(t testing.TB, what string, why error) {
	t.Helper()
	if Everything() {
		t.Fatalf("%s is required: %v", what, why)
	}
	Note(what)
	t.Skipf("%s: %v", what, why)
}

// Everything tells whether nothing may be skipped.
func Everything() bool { return os.Getenv("REQUIRE_ALL") != "" }

// Note counts something that is skipped.
func Note(what string) {
	path := os.Getenv("SKIPPED")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return // the test says it too
	}
	defer f.Close()
	fmt.Fprintln(f, what)
}
