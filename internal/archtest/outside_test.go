package archtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutside builds and runs a small program outside the module against the public package, as a program
// that imports them would.
func TestOutside(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/outside.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.go": strings.ReplaceAll(string(source), "MODULE", module),
		"go.mod":  fmt.Sprintf("module example.com/outside\n\ngo 1.26.0\n\nrequire %[1]s v0.0.0\n\nreplace %[1]s => %[2]s\n", module, root),
		"go.sum":  string(sums),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", ".", t.TempDir())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "CGO_ENABLED=0", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "RS-20260110-cells-turn\n" {
		t.Errorf("%v: %s", err, out)
	}
}
