package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"brenner/internal/needs"
)

// withoutCompiler are the programs of a machine on which brenner is installed from a release: what every system has, and the two that
// bring and check it.
var withoutCompiler = []string{
	"sh", "uname", "mktemp", "rm", "cp", "mv", "mkdir", "basename", "cut", "sed", "cat", "tar", "gzip", "sha256sum", "ssh-keygen", "git",
}

// TestInstallsWithoutCompiler runs the script of a release in an empty home folder, and plays the demo with what it installed. A
// release that was tampered with is refused, and nothing of it is installed.
func TestInstallsWithoutCompiler(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a POSIX shell")
	}
	for _, program := range withoutCompiler {
		needs.Program(t, program)
	}
	release, key := t.TempDir(), newReleaseKey(t)
	name := makeRelease(t, release)
	sign(t, release, key)
	script := filepath.Join(release, "install.sh")
	public := runs(t, exec.CommandContext(t.Context(), "ssh-keygen", "-y", "-f", key))
	bake(t, script, "1.2.3", release, strings.TrimSpace(public))

	home := t.TempDir()
	out, err := installer(t, home, script, release).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "brenner 1.2.3 is installed: "+home+"/.local/bin/brenner") {
		t.Fatalf("%v: %s", err, out)
	}
	for _, file := range []string{"man/man1/brenner.1", "bash-completion/completions/brenner", "doc/brenner/examples/delta.md"} {
		if _, err := os.Stat(filepath.Join(home, ".local/share", file)); err != nil {
			t.Error(err)
		}
	}
	demo := installer(t, home, "-c", release)
	demo.Args = append(demo.Args, "cd && .local/bin/brenner demo --json")
	if out := runs(t, demo); !strings.Contains(out, `"ok":true`) {
		t.Errorf("the demo of what was installed: %s", out)
	}

	t.Run("tampered", func(t *testing.T) {
		refused := func(want string) {
			t.Helper()
			home := t.TempDir()
			out, err := installer(t, home, script, release).CombinedOutput()
			if err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%v: %s; want a refusal with %q", err, out, want)
			}
			if _, err := os.Stat(filepath.Join(home, ".local")); err == nil {
				t.Error("something was installed")
			}
		}
		writeFile(t, filepath.Join(release, name), "another archive")
		refused("is not what was released")
		writeSums(t, release, name) // of the other archive, with the signature of the true one
		refused("was not signed by those who made this script")
		sign(t, release, newReleaseKey(t)) // by somebody else
		refused("was not signed by those who made this script")
		if err := os.Remove(filepath.Join(release, "SHA256SUMS.sig")); err != nil {
			t.Fatal(err)
		}
		refused("there is no SHA256SUMS.sig")
	})
}

// TestInstallsByNPM installs the packages that npx fetches, and starts the program through them.
func TestInstallsByNPM(t *testing.T) {
	needs.Program(t, "npm")
	needs.Program(t, "node")
	packages, home := t.TempDir(), t.TempDir()
	program, err := exec.LookPath("brenner")
	if err != nil {
		t.Fatal(err)
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		t.Fatal(err)
	}
	for _, of := range [][]string{{}, {"-os", runtime.GOOS, "-arch", runtime.GOARCH, program}} {
		args := append([]string{"run", "scripts/npm.go", "-at", "1700000000", "-version", "1.2.3", "-o", packages}, of...)
		pack := exec.CommandContext(t.Context(), "go", args...)
		pack.Dir = "../.."
		runs(t, pack)
	}
	made, err := filepath.Glob(filepath.Join(packages, "*.tgz"))
	if err != nil || len(made) != 2 {
		t.Fatalf("%v, %v", made, err)
	}
	args := append([]string{"install", "--offline", "--no-audit", "--no-fund", "--omit=optional", "--loglevel=error"}, made...)
	install := exec.CommandContext(t.Context(), "npm", args...)
	install.Dir, install.Env = home, append(os.Environ(), "HOME="+home)
	runs(t, install)
	start := exec.CommandContext(t.Context(), filepath.Join(home, "node_modules/.bin/brenner"), "validate", "thread-id", "Nonsense")
	start.Env = append(os.Environ(), "HOME="+home)
	out, err := start.CombinedOutput()
	if code := start.ProcessState.ExitCode(); code != 3 || !strings.Contains(string(out), "INVALID_BEAD_ID") {
		t.Errorf("exit code %d, %v: %s; want that of the program", code, err, out)
	}
}

// makeRelease writes what the script reads: the archive of this machine, and its sum.
func makeRelease(t *testing.T, dir string) (name string) {
	t.Helper()
	brenner, err := exec.LookPath("brenner")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(brenner)
	if err != nil {
		t.Fatal(err)
	}
	folder := "brenner_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	for _, file := range []struct{ path, text string }{
		{"brenner", string(program)}, {"README.md", "# brenner\n"}, {"man/brenner.1", "."}, {"examples/delta.md", "#"},
		{"completions/brenner.bash", "#"}, {"completions/_brenner", "#"}, {"completions/brenner.fish", "#"},
	} {
		err := w.WriteHeader(&tar.Header{Name: folder + "/" + file.path, Mode: 0o755, Size: int64(len(file.text))})
		if err == nil {
			_, err = w.Write([]byte(file.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name = folder + ".tar.gz"
	writeFile(t, filepath.Join(dir, name), b.String())
	writeSums(t, dir, name)
	return name
}

func writeSums(t *testing.T, dir, name string) {
	t.Helper()
	archive, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(archive)
	writeFile(t, filepath.Join(dir, "SHA256SUMS"), fmt.Sprintf("%s  %s\n", hex.EncodeToString(sum[:]), name))
}

func newReleaseKey(t *testing.T) string {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	runs(t, exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key))
	return key
}

func sign(t *testing.T, dir, key string) {
	t.Helper()
	sums := filepath.Join(dir, "SHA256SUMS")
	_ = os.Remove(sums + ".sig") // ssh-keygen asks before it writes over one
	runs(t, exec.CommandContext(t.Context(), "ssh-keygen", "-Y", "sign", "-q", "-f", key, "-n", "brenner-release", sums))
}

// bake fills in what scripts/release fills in.
func bake(t *testing.T, path, version, from, key string) {
	t.Helper()
	script, err := os.ReadFile("../../scripts/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, strings.NewReplacer("@VERSION@", version, "@FROM@", from, "@KEY@", key).Replace(string(script)))
}

// installer is a shell on a machine without a compiler and with an empty home folder.
func installer(t *testing.T, home, script, release string) *exec.Cmd {
	t.Helper()
	bin := t.TempDir()
	for _, name := range withoutCompiler {
		program, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(program, filepath.Join(bin, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", script)
	cmd.Dir = release
	cmd.Env = []string{"HOME=" + home, "PATH=" + bin, "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1",
		"GORACE=" + quickExit}
	return cmd
}

// runs returns what a command prints, which must end well.
func runs(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", cmd.Args, err, out)
	}
	return string(out)
}
