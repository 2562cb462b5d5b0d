//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/disputes"
)

// TestKilledDispute kills the whole process of a play again and again, at random moments, and plays on: what is on the thread then is
// what is there when nobody is killed. A program that outlives the process is found again.
func TestKilledDispute(t *testing.T) {
	const kills = 20
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	whole, killed := disputeProject(t, program), disputeProject(t, program)
	begin := time.Now()
	want := playedDispute(t, program, whole)
	step := 2 * time.Since(begin) / kills

	died := 0
	for range 10 * kills {
		cmd := exec.CommandContext(t.Context(), program, disputePlay...)
		var out bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = killed, &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(rand.Int64N(int64(2*step))), func() { _ = cmd.Process.Kill() }) // it may have ended by itself
		err := cmd.Wait()
		exit, ok := errors.AsType[*exec.ExitError](err)
		switch {
		case err == nil: // it came to its end
		case !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL:
			t.Fatalf("%v\n%s", err, out.String())
		default:
			died++
		}
		if died == kills || err == nil {
			break
		}
	}
	if got := playedDispute(t, program, killed); !slices.Equal(got, want) {
		t.Errorf("killed %d times:\n%s\nleft alone:\n%s", died, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if died < kills/2 {
		t.Errorf("killed only %d times", died)
	}
}

const disputeThread = "RS-20260115-killed-again"

var disputePlay = []string{
	"dispute", "play", "./opera", "--baseline", "next", "--program", "BlueLake=scripted", "--thread", disputeThread, "--json",
}

// disputeProject has a dispute with a small budget, and a program that states the same in every turn.
func disputeProject(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	opera, err := fs.Sub(disputes.Files, "opera")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "opera"), opera); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "opera", "dispute.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, regexp.MustCompile(`(?m)^budget: .*$`).ReplaceAllString(string(text), "budget: 12"))
	config, err := json.Marshal(map[string]any{"agents": map[string]any{
		"scripted": map[string]any{"headless": []string{program, "scripted-agent", "--script", "{agent}.json"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "brenner.config.json"), string(config))
	writeFile(t, filepath.Join(dir, "BlueLake.json"), `{"agent": "BlueLake", "steps": [{"subject": "INFO: Mine", "to": ["Operator"], `+
		`"body": "**Next test**: T4\n\n`+"```belief"+`\n{\"credences\": {\"H1\": 0.4, \"H2\": 0.3}}\n`+"```"+`\n"}]}`)
	expectOK(t, program, dir, "trust", "--yes")
	return dir
}

// playedDispute plays to the end, and tells what is on the thread: who said what to whom, and the sources of results.
func playedDispute(t *testing.T, program, dir string) []string {
	t.Helper()
	var report struct {
		Ended  bool
		Opened []struct{ Test, Evidence string }
	}
	if err := json.Unmarshal([]byte(expectOK(t, program, dir, disputePlay...)), &report); err != nil || !report.Ended {
		t.Fatalf("%v %+v", err, report)
	}
	expectOK(t, program, dir, "verify", disputeThread)
	var list []string
	for _, o := range report.Opened {
		list = append(list, "opened "+o.Test+" as "+o.Evidence)
	}
	for line := range strings.Lines(expectOK(t, program, dir, "thread", "export", disputeThread)) {
		var m struct {
			From, Subject string
			To            []string
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		list = append(list, m.From+" to "+strings.Join(m.To, ", ")+": "+m.Subject)
	}
	return list
}
