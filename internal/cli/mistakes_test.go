package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/needs"
)

// TestMistakes types what people mistype, and holds every answer against testdata/mistakes.txt, where they were read by a person.
// A line that begins with $ is typed into a shell; the lines below it are the answer, both streams, and the exit code in brackets.
func TestMistakes(t *testing.T) {
	needs.Program(t, "git")
	needs.Program(t, "sh")
	const page = "testdata/mistakes.txt"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	shell := newMistakenShell(t)
	var got strings.Builder
	typed := 0
	for line := range strings.Lines(string(text)) {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			typed++
			answer := shell.types(strings.TrimSpace(command))
			got.WriteString(line + answer)
			badlySaid(t, command, answer)
		case strings.HasPrefix(line, "#"):
			got.WriteString("\n" + line)
		}
	}
	if typed < 100 {
		t.Errorf("%d mistakes; there were more than a hundred", typed)
	}
	want := strings.TrimLeft(got.String(), "\n")
	if *update {
		writeFile(t, page, want)
		return
	}
	if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("the answers are others (- was, + is); read them, then -update:\n%s", diff)
	}
}

// unreadable is what nobody should have to read: words of Go, verbs that found no argument, doubled backslashes, wrong plurals.
var unreadable = regexp.MustCompile(`strconv|dial tcp|invalid syntax|%!|\\\\|runtime error|goroutine|<nil>|file does not exist|` +
	`no such file or directory|\b1 (errors|warnings|deltas|files|messages|changes)\b|message 0\b`)

func badlySaid(t *testing.T, command, answer string) {
	t.Helper()
	if word := unreadable.FindString(answer); word != "" {
		t.Errorf("%s %q in\n%s", command, word, answer)
	}
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	said, failed := strings.CutPrefix(lines[max(0, len(lines)-2)], "brenner: ")
	for _, line := range lines[:max(0, len(lines)-2)] {
		if failed && strings.Contains(line, said) {
			t.Errorf("%s says a fault twice:\n%s", command, answer)
		}
	}
}

// mistakenShell is a shell in the folder of a session, on a machine that has git and nothing else.
type mistakenShell struct {
	t   *testing.T
	dir string
	env []string
}

func newMistakenShell(t *testing.T) *mistakenShell {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"git", "sh", "brenner"} {
		program, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(program, filepath.Join(bin, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &mistakenShell{t: t, dir: t.TempDir()}
	s.env = []string{"HOME=" + t.TempDir(), "PATH=" + bin, "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "GORACE=" + quickExit}
	delta, err := os.ReadFile("../../examples/first-delta.md")
	if err != nil {
		t.Fatal(err)
	}
	slips, err := os.ReadFile("../../examples/delta-with-slips.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"delta.md": string(delta), "slips.md": string(slips), "wrapped.md": "```markdown\n" + string(delta) + "```\n",
		"note.md": "Only a note.\n", "letter.txt": "A male that I kept in a box flashed on by himself.\n",
	} {
		writeFile(t, filepath.Join(s.dir, name), text)
	}
	for _, command := range []string{
		"git init --quiet",
		"brenner session start --thread RS-20260801-fireflies-in-unison --question 'How do fireflies come to flash in unison?' " +
			"--context 'They do.' --to BlueLake --role hypothesis_generator",
		"brenner mail send --from BlueLake --to Operator --thread fireflies --subject 'DELTA[gpt]: Three readings' --body delta.md",
		"brenner compile fireflies",
		"brenner evidence add letter.txt --title 'Letter of an observer'",
	} {
		if answer := s.types(command); !strings.HasSuffix(answer, "[0]\n") {
			t.Fatalf("%s: %s", command, answer)
		}
	}
	return s
}

// types returns what a command answers, and its exit code.
func (s *mistakenShell) types(command string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "sh", "-c", command+"; echo \"[$?]\"")
	cmd.Dir, cmd.Env = s.dir, s.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s: %v", command, err)
	}
	return strings.ReplaceAll(out.String(), s.dir, "$WORK")
}
