package gitrepo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/gitrepo"
)

// newHostileRepo has settings, attributes and hooks of which each would leave a file behind if git started what it names.
func newHostileRepo(t *testing.T) (dir, canaries string) {
	t.Helper()
	dir, canaries = newRepo(t), t.TempDir()
	program := func(name, body string) string {
		path := filepath.Join(canaries, "bin", name)
		write(t, canaries, "bin/"+name, fmt.Sprintf("#!/bin/sh\n: > %s/ran-%s\n%s\n", canaries, name, body))
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(t, dir, "artifacts/T.md", "committed\n")
	write(t, dir, ".gitattributes", "* filter=evil diff=evil merge=evil\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "second")
	for key, value := range map[string]string{
		"core.fsmonitor":             program("fsmonitor", "exit 1"),
		"core.hooksPath":             filepath.Dir(program("post-index-change", "")),
		"core.sshCommand":            program("ssh", "exit 1"),
		"core.pager":                 program("pager", "cat"),
		"core.editor":                program("editor", ""),
		"core.askPass":               program("askpass", ""),
		"core.gitProxy":              program("proxy", "exit 1"),
		"core.alternateRefsCommand":  program("alternates", ""),
		"credential.helper":          program("credential", ""),
		"diff.external":              program("external-diff", ""),
		"diff.evil.textconv":         program("textconv", "cat $1"),
		"diff.evil.command":          program("diff", ""),
		"merge.evil.driver":          program("merge", ""),
		"filter.evil.clean":          program("clean", "cat"),
		"filter.evil.smudge":         program("smudge", "cat"),
		"filter.evil.process":        program("process", "exit 1"),
		"filter.evil.required":       "true",
		"gpg.program":                program("gpg", "exit 1"),
		"log.showSignature":          "true",
		"commit.gpgSign":             "true",
		"remote.origin.url":          "ext::" + program("transport", "exit 1"),
		"remote.origin.promisor":     "true",
		"extensions.partialClone":    "origin",
		"protocol.allow":             "always",
		"uploadpack.packObjectsHook": program("pack", "exit 1"),
	} {
		git(t, dir, "config", key, value)
	}
	for _, name := range []string{"rev-parse", "ls-tree", "cat-file", "ls-files", "var"} {
		git(t, dir, "config", "alias."+name, "!"+program("alias-"+name, ""))
	}
	for _, hook := range []string{"reference-transaction", "pre-commit", "post-commit", "post-checkout", "fsmonitor-watchman",
		"pre-auto-gc"} {
		program(hook, "")
	}
	write(t, dir, "artifacts/T.md", "changed!!\n") // as long as before: nothing but its content tells
	write(t, dir, "new.txt", "new")
	forget(t, canaries)
	return dir, canaries
}

// ran lists what was started.
func ran(t *testing.T, canaries string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(canaries, "ran-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func forget(t *testing.T, canaries string) {
	t.Helper()
	for _, path := range ran(t, canaries) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadingStartsNothing asks everything that reads, in a repository that would like to be run (PROTOCOL 16).
func TestReadingStartsNothing(t *testing.T) {
	dir, canaries := newHostileRepo(t)
	repo, ok := gitrepo.Open(t.Context(), dir)
	if !ok {
		t.Fatal("no repository found")
	}
	path := filepath.Join(dir, "artifacts", "T.md")
	if state, err := repo.State(t.Context(), path); err != nil || !state.Exists || state.Committed || state.Commit == "" {
		t.Errorf("state %+v, %v", state, err)
	}
	if text, found, err := repo.Content(t.Context(), path, 100); err != nil || !found || string(text) != "committed\n" {
		t.Errorf("HEAD holds %q, %t, %v", text, found, err)
	}
	if commit, dirty, err := repo.Head(t.Context(), dir, "evidence"); err != nil || commit == "" || !dirty {
		t.Errorf("head %s, dirty %t, %v", commit, dirty, err)
	}
	by, err := repo.Identity(t.Context(), "Operator")
	if err != nil {
		t.Error(err)
	}
	if err := repo.Committable(t.Context(), path); err != nil {
		t.Error(err)
	}
	if _, err := repo.Extend(t.Context(), "refs/brenner/checkpoints", "", map[string][]byte{"checkpoint": []byte("x")}, "one",
		by); err != nil {
		t.Error(err)
	}
	// An object that is missing would be fetched from the origin.
	if text, found, err := repo.At(t.Context(), strings.Repeat("12", 20), "a", 100); found || err != nil {
		t.Errorf("found %q, %v", text, err)
	}
	write(t, dir, "artifacts/T.md", "committed\n")
	if state, err := repo.State(t.Context(), path); err != nil || !state.Committed {
		t.Errorf("state %+v, %v; want what HEAD holds", state, err)
	}
	if started := ran(t, canaries); len(started) > 0 {
		t.Errorf("reading started %v", started)
	}
}

// TestHostileRepoWouldRun keeps the test above honest: an ordinary git status and log do start what the repository names.
func TestHostileRepoWouldRun(t *testing.T) {
	dir, canaries := newHostileRepo(t)
	for _, args := range [][]string{{"status"}, {"diff", "--no-ext-diff"}, {"update-ref", "refs/x", "HEAD"}} {
		cmd := gitCommand(t, dir, args...)
		_ = cmd.Run()
	}
	started := strings.Join(ran(t, canaries), " ")
	for _, name := range []string{"ran-fsmonitor", "ran-process", "ran-reference-transaction"} {
		if !strings.Contains(started, name) {
			t.Errorf("%s did not run; these did: %s", name, started)
		}
	}
}

// TestWorkTreeElsewhere: a repository cannot make another folder the project.
func TestWorkTreeElsewhere(t *testing.T) {
	dir := newRepo(t)
	git(t, dir, "config", "core.worktree", filepath.Dir(dir))
	if repo, ok := gitrepo.Open(t.Context(), dir); ok {
		t.Errorf("opened %s", repo.Root)
	}
}
