package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStartAsks: session start in a real terminal asks for everything, shows what it will send, and sends it after Enter.
func TestStartAsks(t *testing.T) {
	dir := t.TempDir()
	term := newTerminal80(t, "session", "start", "--project", dir, "--slug", "why-cells-turn")
	term.wants("Research question: ")
	term.keys("Why do the cells turn?", "Enter")
	term.wants("Context (an empty line ends it): ")
	term.keys("They do, in the dark too.", "Enter", "And nobody knows why.", "Enter", "Enter")
	term.wants("Agents (Enter: BlueLake, PurpleMountain, RedSky, one for each role): ")
	term.keys("Enter")
	term.wants("to RedSky, adversarial_critic: KICKOFF: Why do the cells turn?")
	if _, err := os.Stat(filepath.Join(dir, ".brenner")); err == nil {
		t.Error("a store is made before anything is sent")
	}
	term.keys("s", "Enter")
	term.wants("Before you send")
	term.keys("Enter")
	term.wants("exit 0")
	list := expectOK(t, "brenner", dir, "session", "list", "--json")
	if !strings.Contains(list, "why-cells-turn") {
		t.Errorf("%s", list)
	}
	kickoff := expectOK(t, "brenner", dir, "mail", "read", "2")
	for _, want := range []string{"To: PurpleMountain", "They do, in the dark too.\nAnd nobody knows why.",
		"| RedSky | adversarial_critic |"} {
		if !strings.Contains(kickoff, want) {
			t.Errorf("no %q in\n%s", want, kickoff)
		}
	}
}

// TestNothingTypedIsLost: whether a person says no, interrupts, or the session cannot be started, what was typed is printed
// as a command that can be repeated.
func TestNothingTypedIsLost(t *testing.T) {
	t.Run("no", func(t *testing.T) {
		dir := t.TempDir()
		term := newTerminal80(t, "session", "start", "--project", dir)
		term.keys("Why so?", "Enter", "Because.", "Enter", "Enter", "OwlA, OwlB", "Enter")
		term.wants("Send it?")
		term.keys("n", "Enter")
		term.wants("nothing was sent")
		term.wants("--question 'Why so?' --context Because. --to OwlA --role")
		term.wants("exit 0")
		if _, err := os.Stat(filepath.Join(dir, ".brenner")); err == nil {
			t.Error("a store is made")
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		term := newTerminal80(t, "session", "start", "--project", t.TempDir())
		term.keys("Why so?", "Enter")
		term.wants("Context")
		term.keys("C-c")
		term.wants("--question 'Why so?'")
		term.wants("exit 130")
	})
	t.Run("refused", func(t *testing.T) {
		dir := t.TempDir()
		expectOK(t, "brenner", dir, "session", "start", "--question", "Why?", "--context", "So.", "--to", "BlueLake", "--thread",
			gateThread, "--project", dir)
		term := newTerminal80(t, "session", "start", "--project", dir, "--thread", gateThread, "--to", "BlueLake")
		term.keys("Why so?", "Enter", "Because.", "Enter", "Enter")
		term.wants("--question 'Why so?' --context Because.")
		term.wants("exit 6")
	})
}
