//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHangup: a terminal that goes away ends a run as Ctrl-C does, and the agents with it; two hangups
// are one. Under nohup the run goes on.
func TestHangup(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	// A test under nohup ignores hangups, and so would what it starts: catching them is not inherited.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "brenner.config.json"),
		`{"agents":{"hanging":{"headless":["sh","-c","echo $$ >pid.new; mv pid.new pid; until test -e go; do sleep 0.1; done"]}}}`)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	expectOK(t, program, dir, "trust", "--yes")
	expectOK(t, program, dir, "mail", "register", "BlueLake", "--program", "hanging")
	expectOK(t, program, dir, "session", "start", "--question", "Why?", "--context", "So.", "--to", "BlueLake", "--thread", gateThread,
		"--quiet")

	cmd, agent := runUntilStarted(t, dir, program)
	hangUp(t, cmd)
	hangUp(t, cmd)
	if err := cmd.Wait(); exitCodeOf(err) != 130 {
		t.Errorf("%v", err)
	}
	if err := syscall.Kill(agent, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the agent outlives the run: %v", err)
	}

	cmd, _ = runUntilStarted(t, dir, "nohup", program)
	hangUp(t, cmd)
	writeFile(t, filepath.Join(dir, "go"), "")
	if err := cmd.Wait(); exitCodeOf(err) != 1 { // stalled: it was there for the end of the round
		t.Errorf("under nohup: %v", err)
	}
}

// runUntilStarted starts a run and returns when its agent is at work, with the agent's process.
func runUntilStarted(t *testing.T, dir string, words ...string) (*exec.Cmd, int) {
	t.Helper()
	pid := filepath.Join(dir, "pid")
	_ = os.Remove(pid)
	cmd := exec.Command(words[0], append(words[1:], "run", gateThread, "--rounds", "1", "--project", dir)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-tick.C {
		text, err := os.ReadFile(pid)
		if n, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
			return cmd, n
		}
	}
	t.Fatal("the agent is not started")
	return nil, 0
}

func hangUp(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

func exitCodeOf(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}
