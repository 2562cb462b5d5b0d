package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPastedWhole: what is pasted into a real terminal arrives whole, lines that are longer than a terminal's own lines too, whether
// the terminal marks it as pasted or not.
func TestPastedWhole(t *testing.T) {
	const thread = "RS-20260110-cells-turn"
	for name, mark := range map[string][]string{"marked": {"-p"}, "typed": nil} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			expectOK(t, "brenner", dir, "session", "start", "--question", "Why?", "--context", "So.", "--to", "BlueLake", "--thread",
				thread, "--project", dir)
			text := "First.\n\n" + strings.Repeat("a long line ", 2000) + "|end\n\nLast, without an end of line"
			file := filepath.Join(dir, "answer.txt")
			writeFile(t, file, text)
			term := newTerminal80(t, "mail", "send", "--project", dir, "--from", "BlueLake", "--to", "Operator", "--thread", "cells",
				"--subject", "INFO: A long answer", "--body", "-")
			term.wants("Ctrl-D on a line of its own ends it")
			term.tmux("load-buffer", file)
			term.tmux(append([]string{"paste-buffer"}, mark...)...)
			term.wants("Last, without an end of line")
			term.keys("Enter", "C-d")
			term.wants("exit 0")
			if got := expectOK(t, "brenner", dir, "mail", "read", "2", "--as", "Operator"); !strings.Contains(got, text+"\n") {
				t.Errorf("%d bytes were pasted, %d arrived", len(text), len(got))
			}
		})
	}
}

// TestPastedContext: a context with empty lines in it does not spill into the next question, and a question becomes one line.
func TestPastedContext(t *testing.T) {
	dir := t.TempDir()
	term := newTerminal80(t, "session", "start", "--project", dir, "--slug", "why-cells-turn")
	paste := func(text string) {
		file := filepath.Join(t.TempDir(), "paste.txt")
		writeFile(t, file, text)
		term.tmux("load-buffer", file)
		term.tmux("paste-buffer", "-p")
	}
	term.wants("Research question: ")
	paste("Why do\nthe cells turn?\n")
	term.wants("Context (an empty line ends it): ")
	paste("They do.\n\nIn the dark too.\n")
	term.keys("Enter")
	term.wants("Agents (Enter: ")
	term.keys("Enter")
	term.wants("Send it?")
	term.keys("Enter")
	term.wants("exit 0")
	kickoff := expectOK(t, "brenner", dir, "mail", "read", "1")
	for _, want := range []string{"Why do the cells turn?", "They do.\n\nIn the dark too."} {
		if !strings.Contains(kickoff, want) {
			t.Errorf("no %q in\n%s", want, kickoff)
		}
	}
}
