package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"brenner/internal/termtext"
)

// TestListsFit: at 80, 60 and 40 columns nothing that is printed as a list is wider than the terminal, and nothing by
// which one calls a thing up again is cut.
func TestListsFit(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const thread = "RS-20260801-fireflies-in-unison"
	if err := os.WriteFile("letter.txt", []byte("They kept time for the better part of an hour, as if the cloth were not there.\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	prepare := [][]string{
		{"thread", "import", examples + "/thread.jsonl"},
		{"session", "start", "--thread", thread, "--question", "How do thousands of fireflies in one tree come to flash in unison?",
			"--context", "They do.", "--to", "BlueLake,PurpleMountain"},
		{"mail", "send", "--from", "BlueLake", "--to", "Operator", "--thread", thread, "--subject",
			"DELTA[gpt]: Three readings of one tree, and where they part", "--body", examples + "/first-delta.md"},
		{"compile", thread},
		{"mail", "send", "--from", "PurpleMountain", "--to", "BlueLake", "--thread", thread, "--subject",
			"CRITIQUE: A leader would always be late", "--body", "critique.md"},
		{"evidence", "add", "letter.txt", "--title", "The letter of an observer on the tidal river"},
		{"result", "record", thread, "T1", "--outcome", "The difference grows steadily"},
		{"mail", "register", "PurpleMountain", "--program", "claude-code", "--model", "a model with a rather long name"},
	}
	critique := "# Critique: Late\n\n## Target\n\n- **Item**: H1\n\n## Attack\n\nA follower is never in unison.\n\n## Evidence\n\nThe " +
		"delay.\n\n## Proposed Resolution\n\nKill H1.\n\n## Severity\n\nMajor\n"
	if err := os.WriteFile("critique.md", []byte(critique), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range prepare {
		if code, out := runHere(t, nil, args...); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, out)
		}
	}
	for _, line := range []string{
		"session list", "thread list", "mail agents", "mail inbox BlueLake", "mail search fireflies", "acks", "critique list " + thread,
		"artifact history " + thread, "artifact support " + thread, "artifact blame " + thread, "beliefs " + thread, "next " + thread,
		"predictions " + thread,
		"result list " + thread, "calibration", "evidence list", "evidence search cloth", "roster presets", "roster presets --explain",
		"roster show --preset default-3-agent --to A,B,C --explain", "config show", "config show --explain",
		"token list", "ps", "todo", "session status " + thread, "doctor", "help", "help exit-codes", "help environment",
		"help session start", "help run", "review " + thread,
	} {
		for _, width := range []int{80, 60, 40} {
			t.Run(fmt.Sprintf("%s at %d", line, width), func(t *testing.T) {
				streams, out, errs := terminal(map[string]string{"NO_COLOR": "1"})
				streams.Width = width
				if code := Run(t.Context(), strings.Fields(line), streams); code > 3 || code == 2 {
					t.Fatalf("exit code %d: %s", code, errs)
				}
				for row := range strings.Lines(out.String()) {
					row = strings.TrimSuffix(row, "\n")
					toPaste := strings.HasPrefix(strings.TrimSpace(row), "brenner ") && !strings.HasPrefix(line, "help")
					if n := termtext.Cells(row); n > width && !toPaste && strings.Contains(strings.TrimSpace(row), " ") {
						t.Errorf("%d columns: %s", n, row)
					}
				}
				for _, name := range regexp.MustCompile(`\S*…\S*`).FindAllString(out.String(), -1) {
					if strings.HasPrefix(name, "RS-") || strings.HasPrefix(name, "EV-") || strings.HasPrefix(name, "Blue") ||
						strings.HasPrefix(name, "Purple") {
						t.Errorf("a name is cut: %s", name)
					}
				}
			})
		}
	}
}
