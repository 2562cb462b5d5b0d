package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRenameModule gives a copy of the repository another path: every import is found under it, and a package builds.
func TestRenameModule(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script needs a POSIX shell")
	}
	dir := copyOfRepository(t)
	command := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "CGO_ENABLED=0", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, out)
		}
		return string(out)
	}
	const path = "example.org/somebody/brenner"
	command("scripts/rename-module", path)
	packages := command("go", "list", "-deps", "-test", "./...")
	for name := range strings.FieldsSeq(packages) {
		if name == module || strings.HasPrefix(name, module+"/") {
			t.Errorf("%s is still imported", name)
		}
	}
	if !strings.Contains(packages, path+"/internal/cli\n") {
		t.Errorf("the program is not there")
	}
	command("go", "build", "./internal/protocol", "./internal/canon")
	rules, err := os.ReadFile(filepath.Join(dir, "internal", "archtest", "arch_test.go"))
	if err != nil || !bytes.Contains(rules, []byte(`const module = "`+path+`"`)) {
		t.Errorf("the test of imports does not know the path: %v", err)
	}
}

// copyOfRepository copies what git knows, as it is now.
func copyOfRepository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Skipf("this is no clone: %v", err)
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		from, to := filepath.Join(root, name), filepath.Join(dir, name)
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted, or a link
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
