package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/needs"
)

// terminal80 is the program in a real terminal of 80 by 24, kept by a tmux server of its own.
type terminal80 struct {
	t      *testing.T
	socket string
}

func newTerminal80(t *testing.T, args ...string) *terminal80 {
	t.Helper()
	needs.Program(t, "tmux")
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal80{t, filepath.Join(t.TempDir(), "tmux")}
	quoted := "'" + strings.Join(append([]string{program}, args...), "' '") + "'"
	term.tmux("-f", os.DevNull, "new-session", "-d", "-x", "80", "-y", "24", "env GORACE="+quickExit+" "+quoted+"; echo exit $?; exec cat")
	t.Cleanup(func() { term.tmux("kill-server") })
	return term
}

func (term *terminal80) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

func (term *terminal80) keys(keys ...string) { term.tmux(append([]string{"send-keys"}, keys...)...) }

// wants waits until a text is to be seen.
func (term *terminal80) wants(text string) {
	term.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		screen := term.tmux("capture-pane", "-p", "-J") // long lines in one piece
		if strings.Contains(screen, text) {
			return
		}
		if time.Now().After(deadline) {
			term.t.Fatalf("%q is not to be seen:\n%s", text, screen)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestTUI looks at a session in a real terminal while another process writes to it.
func TestTUI(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		out, err := exec.Command("brenner", append(args, "--project", dir)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	run("session", "start", "--question", "Why do the cells turn?", "--context", "They do.", "--to", "BlueLake", "--thread",
		"RS-20260110-cells-turn")
	term := newTerminal80(t, "tui", "--project", dir)
	term.wants("RS-20260110-cells-turn") // what everyone does
	term.keys("2")
	term.wants("Nothing waits for you")
	term.keys("3")
	term.wants("Why do the cells turn?")
	term.keys("Enter")
	term.wants("1 Problems")
	term.keys("2")
	term.wants("KICKOFF")
	body := filepath.Join(dir, "note.md")
	if err := os.WriteFile(body, []byte("A word.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run("mail", "send", "--from", "BlueLake", "--to", "Operator", "--thread", "RS-20260110-cells-turn", "--subject",
		"INFO: Seen without asking", "--body", body)
	term.wants("Seen without asking")
	term.keys("4")
	term.wants("working         BlueLake")
	term.tmux("resize-window", "-x", "60", "-y", "15")
	term.wants("working         BlueLake")
	term.keys("n")
	term.wants("Ask BlueLake how it goes? y/n")
	term.keys("y")
	term.wants("asks BlueLake how it goes")
	term.tmux("resize-window", "-x", "80", "-y", "24")
	term.keys("?")
	term.wants("these keys")
	term.keys("q")
	term.wants("exit 0")
}

// TestTUIBeginsWithASession, and says so if there is no such session.
func TestTUIBeginsWithASession(t *testing.T) {
	dir := t.TempDir()
	term := newTerminal80(t, "tui", "RS-20260110-nowhere", "--project", dir)
	term.wants("exit 5")
}

// TestTUINeedsATerminal: a script gets a usage error, not escape sequences.
func TestTUINeedsATerminal(t *testing.T) {
	out, err := exec.Command("brenner", "tui", "--project", t.TempDir()).CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "needs a terminal") {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "\x1b") {
		t.Errorf("%q", out)
	}
}
