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

// TestDocs types the shell blocks of the README and of the tutorial, as they are printed, into one shell for each page, on what a
// newcomer has: an empty home folder, a git that knows nobody, and a PATH with the programs that the pages name and no others. A
// block marked text right behind one of sh is what the latter prints: … stands for anything in a line, and alone on a line for any
// lines. Blocks of bash are not typed: the demo that waits for Ctrl-C, which TestDemoOpens starts, and the command that runs this test.
//
// What was typed and printed is kept as a transcript: with -artifacts it stays, and the test says where.
//
// Two things cannot be had offline: what Go has fetched and compiled, which stays where it is, and a model. A program in the place
// of claude answers the kickoff.
func TestDocs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages are written for a POSIX shell")
	}
	for _, program := range newcomersPrograms {
		needs.Program(t, program)
	}
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var installed string // by the first page, in its reader's home folder
	for _, page := range []string{"README.md", "doc/tutorial.md"} {
		home := t.TempDir()
		t.Run(page, func(t *testing.T) {
			blocks := shellBlocks(t, filepath.Join(repository, page))
			answers := typeBlocks(t, repository, newcomer(t, repository, home, installed), blocks)
			keepTranscript(t, filepath.Base(page), blocks, answers)
			for i, printed := range answers {
				if want := blocks[i].prints; want != "" && !printsAs(want).MatchString(strings.TrimSpace(printed)+"\n") {
					t.Errorf("line %d: the page says that this is printed:\n%s\nbut it is:\n%s", blocks[i].line, want, printed)
				}
			}
		})
		if installed == "" {
			installed = filepath.Join(home, "go", "bin")
		}
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

// newcomersPrograms are what the pages ask for (Go, git, tmux) and what every system has.
var newcomersPrograms = []string{"go", "git", "tmux", "sh", "cat", "cp", "mkdir", "sleep"}

// newcomer is the environment of somebody with an empty home folder, the programs of a newcomer, and what an earlier page told
// them to install.
func newcomer(t *testing.T, repository, home, installed string) []string {
	t.Helper()
	bin, sockets := t.TempDir(), t.TempDir()
	t.Cleanup(func() { endTmux(sockets) })
	for _, name := range newcomersPrograms {
		program, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(program, filepath.Join(bin, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := strings.Join([]string{standIn(t, repository), bin, installed}, string(filepath.ListSeparator))
	return append(compiledAlready(t), "HOME="+home, "PATH="+path, "TERM=xterm", "LANG=C.UTF-8",
		"TMPDIR="+t.TempDir(), "TMUX_TMPDIR="+sockets, "GIT_CONFIG_NOSYSTEM=1") // this machine may know somebody
}

// typeBlocks runs the blocks in one shell and returns what each printed. The first command that fails ends it.
func typeBlocks(t *testing.T, repository string, env []string, blocks []shellBlock) []string {
	t.Helper()
	var script strings.Builder
	for i, b := range blocks {
		fmt.Fprintf(&script, "printf '\\036%d\\n'\n%s", i, b.script)
	}
	page := filepath.Join(t.TempDir(), "page.sh")
	writeFile(t, page, script.String())
	cmd := exec.CommandContext(t.Context(), "sh", "-e", page)
	cmd.Dir, cmd.Env = repository, env
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

// keepTranscript writes what was typed, and what it printed, as a person would have seen it.
func keepTranscript(t *testing.T, page string, blocks []shellBlock, answers []string) {
	t.Helper()
	var b strings.Builder
	for i, printed := range answers {
		for line := range strings.Lines(blocks[i].script) {
			b.WriteString("$ " + line)
		}
		b.WriteString(printed + "\n")
	}
	file := filepath.Join(t.ArtifactDir(), page+".transcript.txt")
	writeFile(t, file, b.String())
	t.Log("transcript:", file)
}

// compiledAlready is the environment in which Go finds what it has fetched and compiled before.
func compiledAlready(t *testing.T) []string {
	t.Helper()
	places, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(places), "\n")
	return []string{"GOCACHE=" + values[0], "GOMODCACHE=" + values[1], "GOPROXY=" + values[2], "GOFLAGS=" + values[3], "CGO_ENABLED=0"}
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
