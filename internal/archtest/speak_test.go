package archtest

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"brenner/internal/needs"
)

// TestSpeaks holds what make test says while a step says nothing: that it is at work, every line of the step, and how that ended.
func TestSpeaks(t *testing.T) {
	needs.Program(t, "bash")
	cmd := exec.CommandContext(t.Context(), "bash", "../../scripts/speak", "sh", "-c", "echo first; sleep 3; echo last; exit 3")
	cmd.Env = append(os.Environ(), "SILENCE=1")
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Errorf("exit code %d, %v; want that of the step", code, err)
	}
	want := regexp.MustCompile(`\Abegun.*\nfirst\n(still at work after \d+ s\n)+last\n\z`)
	if !want.Match(out) {
		t.Errorf("%s", out)
	}
}
