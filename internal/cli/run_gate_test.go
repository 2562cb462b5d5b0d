package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const gateThread = "RS-20260110-turning-tide"

// TestRunGate: on a terminal a person is asked before each further round, until there is an answer, and
// the answer counts.
func TestRunGate(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "brenner.config.json"),
		`{"agents":{"scripted":{"headless":["brenner","scripted-agent","--script","{agent}.json"]}}}`)
	writeFile(t, filepath.Join(dir, "BlueLake.json"), `{"steps":[{"subject":"DELTA[gpt]: x","body":`+
		`"# D\n\n`+"```"+
		`delta\n{\"operation\":\"ADD\",\"section\":\"anomaly_register\",\"payload\":{\"name\":\"n\",\"observation\":\"o\",`+
		`\"conflicts_with\":[\"H1\"],\"status\":\"active\"},\"rationale\":\"r\"}\n`+"```"+`\n"}]}`)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	expectOK(t, program, dir, "trust", "--yes")
	expectOK(t, program, dir, "mail", "register", "BlueLake", "--program", "scripted", "--model", "gpt")
	expectOK(t, program, dir, "session", "start", "--question", "Why?", "--context", "So.", "--to", "BlueLake", "--thread", gateThread,
		"--quiet")
	for _, step := range []struct {
		typed string
		code  int
		says  string
	}{
		{"", 7, "waits for a person"},               // the terminal went away
		{"perhaps\nno\n", 0, "stopped at the gate"}, // asked twice
		{"yes\nstop\n", 0, "stopped at the gate before round 3"},
	} {
		streams, out, errs := terminal(nil)
		streams.In, streams.InIsTerminal = strings.NewReader(step.typed), true
		code := Run(t.Context(), []string{"run", gateThread, "--rounds", "4", "--gate", "--project", dir}, streams)
		if code != step.code || !strings.Contains(out.String()+errs.String(), step.says) {
			t.Errorf("%q: exit code %d\n%s%s", step.typed, code, out, errs)
		}
		if asked := strings.Count(errs.String(), "(yes/no)"); asked != max(1, strings.Count(step.typed, "\n")) {
			t.Errorf("%q: asked %d times\n%s", step.typed, asked, errs)
		}
	}
	log := expectOK(t, program, dir, "audit", "--json")
	for _, answer := range []string{"round 2: no", "round 2: yes", "round 3: no"} {
		if strings.Count(log, `"act":"gate","target":"`+gateThread+" "+answer+`"`) != 1 {
			t.Errorf("the audit log lacks the answer %q:\n%s", answer, log)
		}
	}
}
