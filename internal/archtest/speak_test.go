package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"brenner/internal/needs"
)

// TestSpeaks holds what make test says while a step says nothing: that it is at work, every line of the step, and how that ended. It does
// not wait for what a step left behind.
func TestSpeaks(t *testing.T) {
	needs.Program(t, "bash")
	left := filepath.Join(t.TempDir(), "left")
	step := `echo first; sleep 60 & echo $! > "$LEFT"; sleep 3; printf last; exit 3`
	cmd := exec.CommandContext(t.Context(), "bash", "../../scripts/speak", "sh", "-c", step)
	cmd.Env = append(os.Environ(), "SILENCE=1", "LEFT="+left)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Errorf("exit code %d, %v; want that of the step", code, err)
	}
	want := regexp.MustCompile(`\Abegun.*\nfirst\n(still at work after \d+ s\n)+last\n\z`)
	if !want.Match(out) {
		t.Errorf("%q", out)
	}
	pid, err := os.ReadFile(left)
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.CommandContext(t.Context(), "kill", strings.TrimSpace(string(pid))).Run(); err != nil {
		t.Error("it waited for what the step left behind")
	}
}
