package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPager: in a real terminal of 24 lines long output goes through $PAGER, short output does not, and --no-pager
// says no.
func TestPager(t *testing.T) {
	dir := t.TempDir()
	pager := filepath.Join(dir, "pager")
	writeFile(t, pager, "#!/bin/sh\nlines=$(wc -l)\necho paged with $1\n")
	if err := os.Chmod(pager, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PAGER", pager+" an-option")
	newTerminal80(t, "help", "session", "start").wants("paged with an-option")
	newTerminal80(t, "help", "session", "start", "--no-pager").wants("exit 0")
	newTerminal80(t, "version").wants("next: ")
	out, err := exec.Command("brenner", "help", "session", "start").CombinedOutput()
	if err != nil || strings.Contains(string(out), "paged") {
		t.Errorf("in a pipe: %v: %s", err, out)
	}
}
