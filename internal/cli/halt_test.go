package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/artifact/markdown"
)

const haltThread = "RS-20260110-halted-anywhere"

// TestHaltedAnywhere stops commands that write, at random moments, politely and not: what is
// found afterwards is the state before or the state after, and the command run again gets there.
func TestHaltedAnywhere(t *testing.T) {
	const trials = 3
	program := filepath.Join(t.TempDir(), "brenner")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	origin := haltProject(t, program)
	for _, command := range [][]string{
		{"compile", haltThread},
		{"compile", haltThread, "--persist", "--commit"},
		{"persist", haltThread, "--commit"},
		{"thread", "import", "more.jsonl"},
	} {
		for _, signal := range []os.Signal{syscall.SIGKILL, os.Interrupt} {
			t.Run(strings.Join(command[:min(len(command), 4)], " ")+" "+signal.String(), func(t *testing.T) {
				whole := timed(t, program, clone(t, program, origin, command), command)
				for range trials {
					dir := clone(t, program, origin, command)
					halt(t, program, dir, command, signal, time.Duration(rand.Int64N(int64(whole)*5/4)))
					expectWhole(t, program, dir)
					expectOK(t, program, dir, command...)
					expectWhole(t, program, dir)
				}
			})
		}
	}
}

// haltProject makes a repository with a thread whose deltas wait to be compiled.
func haltProject(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "--quiet"}, {"config", "user.name", "A"}, {"config", "user.email", "a@example.com"},
		{"config", "commit.gpgsign", "false"}, {"commit", "--quiet", "--allow-empty", "-m", "first"},
	} {
		expectOK(t, "git", dir, args...)
	}
	lines := haltLine(1, "Operator", "KICKOFF: halt", "# S\n\n## Research Question\nWhy?\n\n## Context\nSome.\n")
	for i := range 40 {
		lines += haltLine(i+2, "BlueLake", fmt.Sprintf("DELTA[gpt]: test %d", i), haltDelta(i))
	}
	writeFile(t, filepath.Join(dir, "thread.jsonl"), lines)
	var more strings.Builder
	for i := range 300 {
		more.WriteString(haltLine(1000+i, "RedSky", fmt.Sprintf("DELTA[gemini]: more %d", i), haltDelta(100+i)))
	}
	writeFile(t, filepath.Join(dir, "more.jsonl"), more.String())
	expectOK(t, program, dir, "thread", "import", "thread.jsonl")
	return dir
}

func haltLine(id int, from, subject, body string) string {
	line, err := json.Marshal(map[string]any{
		"id": id, "thread_id": haltThread, "from": from, "to": []string{"Operator"}, "subject": subject, "body_md": body,
		"created_ts": time.Date(2026, 1, 10, 10, 0, 0, id*1000, time.UTC).Format(time.RFC3339Nano),
	})
	if err != nil {
		panic(err) // plain data always encodes
	}
	return string(line) + "\n"
}

func haltDelta(i int) string {
	return fmt.Sprintf("# D\n\n```delta\n{\"operation\":\"ADD\",\"section\":\"anomaly_register\",\"payload\":{\"name\":\"anomaly %d\","+
		"\"observation\":\"o\",\"conflicts_with\":[\"H1\"],\"status\":\"active\"},\"rationale\":\"r\"}\n```\n", i)
}

// clone copies the project; a command that persists finds a version published.
func clone(t *testing.T, program, origin string, command []string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "p"), os.DirFS(origin)); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "p")
	if err := os.Chmod(filepath.Join(dir, ".brenner"), 0o700); err != nil {
		t.Fatal(err)
	}
	if command[0] == "persist" {
		expectOK(t, program, dir, "compile", haltThread, "--quiet")
	}
	return dir
}

// timed runs the command whole and says how long it takes.
func timed(t *testing.T, program, dir string, command []string) time.Duration {
	t.Helper()
	begin := time.Now()
	expectOK(t, program, dir, command...)
	return time.Since(begin)
}

// halt starts the command and sends it a signal after a while.
func halt(t *testing.T, program, dir string, command []string, signal os.Signal, after time.Duration) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, command...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // git, which it starts, belongs to its group
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Signal(signal) // it may have ended by itself
	_ = cmd.Wait()
	awaitGroup(t, cmd.Process.Pid)
}

// awaitGroup waits until a process group is empty: only brenner was stopped, and the git it had
// started may still be about to do what it was asked to.
func awaitGroup(t *testing.T, group int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); syscall.Kill(-group, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what brenner had started does not end")
		}
	}
}

// expectWhole checks that the thread verifies, that versions have no gap, and that the file is
// absent or an artifact from its first line to its last.
func expectWhole(t *testing.T, program, dir string) {
	t.Helper()
	expectOK(t, program, dir, "verify", haltThread)
	var threads struct {
		Threads []struct{ Messages int }
	}
	if err := json.Unmarshal([]byte(expectOK(t, program, dir, "thread", "list", "--json")), &threads); err != nil {
		t.Fatal(err)
	}
	// 41 to begin with, a COMPILED and an INFO or two, and all of the import or nothing of it.
	if n := threads.Threads[0].Messages; n < 41 || n > 45 && n < 341 {
		t.Errorf("%d messages: an import came in half", n)
	}
	text, err := os.ReadFile(filepath.Join(dir, "artifacts", haltThread+".md"))
	if err != nil {
		return
	}
	doc, _, findings := markdown.Parse(string(text))
	hash, err := doc.Artifact.Hash()
	if err != nil || len(findings) != 0 || hash.String() != doc.Metadata.ArtifactHash {
		t.Errorf("the file is not whole: %v %v", findings, err)
	}
}

func expectOK(t *testing.T, program, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s%s", filepath.Base(program), args, err, out, stderr.String())
	}
	return string(out)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
