package cli

import (
	"bufio"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/needs"
)

// TestBashCompletes presses Tab in a bash that has no package of completions. bash breaks what is typed at = and :.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		needs.Program(t, "bash")
	}
	shell := newMistakenShell(t)
	shell.types("brenner completion bash > completion.bash")
	for _, c := range []struct{ typed, want string }{
		{"brenner sess", "session"},
		{"brenner session status RS-", "RS-20260801-fireflies-in-unison"},
		{"brenner artifact blame H2.cl", "H2.claim"},
		{"brenner artifact blame fireflies H2.mech", "H2.mechanism"},
		{"brenner whatif T2=No", `No\ shift\ at\ any\ phase`},
		{"brenner artifact show fireflies --version=", "v1"},
		{"brenner evidence show EV-", "EV-001"},
	} {
		script := fmt.Sprintf(`source completion.bash
COMP_LINE='%s' COMP_POINT=%d COMP_TYPE=9
read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$COMP_LINE")"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__start_brenner 2>/dev/null
printf '%%s\n' "${COMPREPLY[@]}"`, c.typed, len(c.typed))
		cmd := exec.CommandContext(t.Context(), bash, "--norc", "-c", script)
		cmd.Dir, cmd.Env = shell.dir, shell.env
		sed, err := exec.LookPath("sed")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(sed)+":"+strings.TrimPrefix(shell.env[1], "PATH="))
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.typed, got, err, c.want)
		}
	}
}

func TestVersionNamesTheCommit(t *testing.T) {
	commit := "0123456789abcdef0123456789abcdef01234567"
	var out strings.Builder
	p := &printer{out: bufio.NewWriter(&out), err: bufio.NewWriter(&out)}
	versionReport{Version: "1.2.3", Revision: &commit, Go: "go1.26", Platform: "linux/amd64"}.show(p)
	p.out.Flush()
	if want := "brenner 1.2.3 (commit 0123456789ab, go1.26, linux/amd64)\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("%q; want %q", out.String(), want)
	}
}
