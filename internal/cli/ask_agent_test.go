package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAskOverClipboard: a person at a terminal pastes the prompt, brings back an answer that is refused, is given what to ask the chat
// for, and brings a better one. The clipboard is a file: a test has no desktop.
func TestAskOverClipboard(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	board := filepath.Join(bin, "board")
	for name, does := range map[string]string{"wl-copy": "cat >'" + board + "'", "wl-paste": "cat '" + board + "'"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexec "+does+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	copied := func(text string) {
		if err := os.WriteFile(board, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("WAYLAND_DISPLAY", "none")
	expectOK(t, "brenner", dir, "session", "start", "--question", "Why?", "--context", "So.", "--to", "BlueLake", "--thread", gateThread)
	term := newTerminal80(t, "ask", "BlueLake", "--project", dir)
	term.wants("The prompt of BlueLake is on the clipboard")
	term.keys("Enter")
	term.wants("that is still what is to be pasted")
	copied("```delta\n{\"operation\": \"ADD\", \"section\": \"nowhere\", \"payload\": {}, \"rationale\": \"r\"}\n```\n")
	term.keys("Enter")
	term.wants("What has to be mended is on the clipboard")
	asked, err := os.ReadFile(board)
	if err != nil || !strings.Contains(string(asked), "Write the whole answer again") ||
		!strings.Contains(string(asked), "INVALID_SECTION") {
		t.Fatalf("the chat is asked %s, %v", asked, err)
	}
	copied("Claude\n\n```delta\n{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\", \"payload\": {\"name\": \"Fluid\", " +
		"\"claim\": \"It flows\", \"mechanism\": \"Shear\", \"anchors\": [\"inference\"]}, \"rationale\": \"r\"}\n```\n")
	term.keys("Enter")
	term.wants("accepted ADD hypothesis_slate")
	term.wants("exit 0")
}
