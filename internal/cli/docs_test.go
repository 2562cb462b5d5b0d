package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"brenner/internal/needs"
)

// TestDocs types the shell blocks of the README and of the tutorial, as they are printed, into one shell for each page,
// in a home folder with nothing in it but git's idea of who one is. A block marked text right behind one of sh is what the
// latter prints: … stands for anything in a line, and alone on a line for any lines.
//
// A model is the one thing that cannot be had offline: a program in the place of claude answers the kickoff.
func TestDocs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages are written for a POSIX shell")
	}
	for _, program := range []string{"git", "tmux"} {
		needs.Program(t, program)
	}
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(t.TempDir(), "bin") // by the first page, for both
	for _, page := range []string{"README.md", "doc/tutorial.md"} {
		t.Run(page, func(t *testing.T) {
			blocks := shellBlocks(t, filepath.Join(repository, page))
			for i, printed := range typeBlocks(t, repository, installed, blocks) {
				if want := blocks[i].prints; want != "" && !printsAs(want).MatchString(strings.TrimSpace(printed)+"\n") {
					t.Errorf("line %d: the page says that this is printed:\n%s\nbut it is:\n%s", blocks[i].line, want, printed)
				}
			}
		})
	}
}

// shellBlock is one that a reader types, and what the page says it prints (empty: it does not say).
type shellBlock struct {
	line           int
	script, prints string
}

func shellBlocks(t *testing.T, path string) []shellBlock {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []shellBlock
	fence, begun := regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```\n"), 0
	for _, at := range fence.FindAllSubmatchIndex(page, -1) {
		kind, text := string(page[at[2]:at[3]]), string(page[at[4]:at[5]])
		switch {
		case kind == "sh":
			blocks = append(blocks, shellBlock{line: 1 + strings.Count(string(page[:at[0]]), "\n"), script: text})
		case kind == "text" && len(blocks) > 0 && begun == at[0]:
			blocks[len(blocks)-1].prints = text
		}
		begun = at[1]
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no shell blocks", path)
	}
	return blocks
}

// typeBlocks runs the blocks in one shell and returns what each printed. The first command that fails ends it.
func typeBlocks(t *testing.T, repository, installed string, blocks []shellBlock) []string {
	t.Helper()
	var script strings.Builder
	for i, b := range blocks {
		fmt.Fprintf(&script, "printf '\\036%d\\n'\n%s", i, b.script)
	}
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".gitconfig"), "[user]\n\tname = A Reader\n\temail = reader@example.org\n[init]\n\tdefaultBranch = main\n")
	writeFile(t, filepath.Join(home, "page.sh"), script.String())
	cmd := exec.CommandContext(t.Context(), "sh", "-e", filepath.Join(home, "page.sh"))
	cmd.Dir = repository
	cmd.Env = append(readerEnv(t), "HOME="+home, "GOBIN="+installed, "TMUX_TMPDIR="+home, "TMPDIR="+t.TempDir(), "TERM=xterm",
		"PATH="+strings.Join([]string{standIn(t, repository), os.Getenv("PATH"), installed}, string(filepath.ListSeparator)))
	t.Cleanup(func() { endTmux(home) })
	out, err := cmd.CombinedOutput()
	parts := strings.Split(string(out), "\036")[1:]
	if err != nil && len(parts) > 0 {
		last := blocks[len(parts)-1]
		t.Fatalf("line %d: %v:\n%s\n%s", last.line, err, last.script, parts[len(parts)-1])
	}
	if err != nil || len(parts) != len(blocks) {
		t.Fatalf("%d of %d blocks: %v: %s", len(parts), len(blocks), err, out)
	}
	for i := range parts {
		_, parts[i], _ = strings.Cut(parts[i], "\n")
	}
	return parts
}

// readerEnv is the environment without what is set for this program; what Go has compiled stays where it is.
func readerEnv(t *testing.T) []string {
	t.Helper()
	places, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(places), "\n")
	return []string{"GOCACHE=" + values[0], "GOMODCACHE=" + values[1], "GOPROXY=" + values[2], "GOFLAGS=" + values[3], "CGO_ENABLED=0", "LANG=C.UTF-8"}
}

// standIn makes a folder with a program that answers in the place of a model.
func standIn(t *testing.T, repository string) string {
	t.Helper()
	dir := t.TempDir()
	claude := filepath.Join(dir, "claude")
	writeFile(t, claude, `#!/bin/sh
if [ "$AGENT_NAME" = BlueLake ]; then
	brenner mail send --from BlueLake --to Operator --thread "$BRENNER_THREAD" \
		--subject 'DELTA[opus]: Three readings of one tree' --body '`+repository+`/examples/first-delta.md'
fi
exec sleep 600
`)
	if err := os.Chmod(claude, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// printsAs is the pattern of what a page says is printed.
func printsAs(text string) *regexp.Regexp {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line == "…\n" {
			b.WriteString("(?:.*\n)*?")
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	return regexp.MustCompile(`\A` + b.String() + `\z`)
}
