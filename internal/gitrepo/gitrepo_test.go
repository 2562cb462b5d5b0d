package gitrepo_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/gitrepo"
	"brenner/internal/protocol"
)

func TestOutsideARepository(t *testing.T) {
	if repo, ok := gitrepo.Open(t.Context(), t.TempDir()); ok {
		t.Fatalf("found a repository at %s", repo.Root)
	}
}

// TestCommitFileTouchesNothingElse walks a file from written to committed while other
// changes, staged and not, are beside it.
func TestCommitFileTouchesNothingElse(t *testing.T) {
	dir := newRepo(t)
	write(t, dir, "other.txt", "staged")
	git(t, dir, "add", "other.txt")
	write(t, dir, "first.txt", "changed, not staged")
	write(t, dir, "loose.txt", "untracked")
	before := git(t, dir, "status", "--porcelain")

	repo, ok := gitrepo.Open(t.Context(), dir)
	if !ok {
		t.Fatal("no repository found")
	}
	path := filepath.Join(dir, "artifacts", "RS-20260110-[odd]*name.md")
	expectState(t, repo, path, gitrepo.FileState{})
	write(t, dir, "artifacts/RS-20260110-[odd]*name.md", "one")
	expectState(t, repo, path, gitrepo.FileState{Exists: true})

	commit, err := repo.CommitFile(t.Context(), path, "artifact(x): v1 - first", gitrepo.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	expectState(t, repo, path, gitrepo.FileState{Exists: true, Committed: true, Commit: commit})
	if got := git(t, dir, "status", "--porcelain"); got != before {
		t.Errorf("other changes moved:\n%s\nwant\n%s", got, before)
	}
	files := strings.TrimSpace(git(t, dir, "show", "--name-only", "--format=%s", commit))
	if files != "artifact(x): v1 - first\n\nartifacts/RS-20260110-[odd]*name.md" {
		t.Errorf("commit holds %q", files)
	}

	again, err := repo.CommitFile(t.Context(), path, "nothing new", gitrepo.Identity{})
	if err != nil || again != commit {
		t.Errorf("committing an unchanged file made %s, %v; want %s", again, err, commit)
	}
	write(t, dir, "artifacts/RS-20260110-[odd]*name.md", "two")
	expectState(t, repo, path, gitrepo.FileState{Exists: true, Commit: commit})
}

func TestCommitWithoutIdentitySaysWhatToDo(t *testing.T) {
	dir := newRepo(t)
	git(t, dir, "config", "--unset", "user.name")
	git(t, dir, "config", "--unset", "user.email")
	git(t, dir, "config", "user.useConfigOnly", "true")
	write(t, dir, "a.md", "x")
	repo, _ := gitrepo.Open(t.Context(), dir)
	for _, try := range []func() error{
		func() error {
			_, err := repo.CommitFile(t.Context(), filepath.Join(dir, "a.md"), "m", gitrepo.Identity{})
			return err
		},
		func() error {
			_, err := repo.Identity(t.Context(), "Operator") // who was told never to guess is not answered for
			return err
		},
	} {
		err := try()
		if protocol.CodeOf(err) != protocol.NotAllowed || strings.Contains(err.Error(), "exit status") ||
			!strings.Contains(err.Error(), "git config --global user.name") ||
			!strings.Contains(err.Error(), "git config --global user.email") {
			t.Fatalf("got %v; want advice to set the identity", err)
		}
	}
	if staged := git(t, dir, "diff", "--cached", "--name-only"); staged != "" {
		t.Errorf("left staged: %s", staged)
	}
}

// TestInterruptedCommit: a commit that is under way when it is interrupted is made, and one that does not end is
// given up. Neither leaves a lock.
func TestInterruptedCommit(t *testing.T) {
	for name, hook := range map[string]string{"short": "sleep 0.3", "endless": "exec >/dev/null 2>&1; exec sleep 8"} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			write(t, dir, "a.md", "x")
			begun := filepath.Join(t.TempDir(), "begun")
			script := fmt.Sprintf("#!/bin/sh\necho $$ >%s.new && mv %s.new %s\n%s\n", begun, begun, begun, hook)
			if err := os.WriteFile(filepath.Join(dir, ".git", "hooks", "pre-commit"), []byte(script),
				0o700); err != nil { //nolint:gosec // git calls it
				t.Fatal(err)
			}
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			go func() {
				for ctx.Err() == nil {
					if _, err := os.Stat(begun); err == nil {
						interrupt()
					}
					time.Sleep(time.Millisecond)
				}
			}()
			repo, _ := gitrepo.Open(t.Context(), dir)
			commit, err := repo.CommitFile(ctx, filepath.Join(dir, "a.md"), "m", gitrepo.Identity{})
			if made := err == nil && commit == strings.TrimSpace(git(t, dir, "rev-parse", "HEAD")); made != (name == "short") {
				t.Errorf("made: %t, %v", made, err)
			}
			if ctx.Err() == nil {
				t.Error("the hook was not called")
			}
			if locks, err := filepath.Glob(filepath.Join(dir, ".git", "*.lock")); err != nil || len(locks) > 0 {
				t.Errorf("left behind: %v %v", locks, err)
			}
		})
	}
}

// TestEnvironmentDoesNotRedirect commits while variables point at another repository, as they do in a
// git hook.
func TestEnvironmentDoesNotRedirect(t *testing.T) {
	dir, other := newRepo(t), newRepo(t)
	before := git(t, other, "rev-parse", "HEAD")
	write(t, dir, "a.md", "x")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_INDEX_FILE": filepath.Join(other, ".git", "index"),
		"GIT_OBJECT_DIRECTORY": filepath.Join(other, ".git", "objects"), "GIT_COMMON_DIR": filepath.Join(other, ".git"),
		"GIT_NAMESPACE":    "elsewhere",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.worktree", "GIT_CONFIG_VALUE_0": other,
	} {
		t.Setenv(name, value)
	}
	repo, ok := gitrepo.Open(t.Context(), dir)
	if !ok || repo.Root != dir {
		t.Fatalf("opened %q, %v; want %q", repo.Root, ok, dir)
	}
	commit, err := repo.CommitFile(t.Context(), filepath.Join(dir, "a.md"), "m", gitrepo.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_CONFIG_GLOBAL") &&
			!strings.HasPrefix(name, "GIT_CONFIG_SYSTEM") {
			if err := os.Unsetenv(name); err != nil { // t.Setenv restores it
				t.Fatal(err)
			}
		}
	}
	if head := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD")); head != commit {
		t.Errorf("HEAD is %s; want %s", head, commit)
	}
	if after := git(t, other, "rev-parse", "HEAD"); after != before {
		t.Errorf("the other repository moved to %s", after)
	}
}

func expectState(t *testing.T, repo gitrepo.Repo, path string, want gitrepo.FileState) {
	t.Helper()
	got, err := repo.State(t.Context(), path)
	if err != nil || got != want {
		t.Fatalf("state %+v, %v; want %+v", got, err, want)
	}
}

func newRepo(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
		t.Setenv(name, "")
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "init", "--quiet")
	git(t, dir, "config", "user.name", "A")
	git(t, dir, "config", "user.email", "a@example.com")
	write(t, dir, "first.txt", "first")
	git(t, dir, "add", "first.txt")
	git(t, dir, "commit", "--quiet", "-m", "first")
	return dir
}

func gitCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	return cmd
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := gitCommand(t, dir, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestHeadLeavesFoldersOut: what brenner itself writes does not make a work tree dirty.
func TestHeadLeavesFoldersOut(t *testing.T) {
	dir := newRepo(t)
	repo, _ := gitrepo.Open(t.Context(), dir)
	dirty := func() bool {
		t.Helper()
		commit, dirty, err := repo.Head(t.Context(), dir, "evidence", "artifacts", ".brenner")
		if err != nil || commit == "" {
			t.Fatalf("commit %q, %v", commit, err)
		}
		return dirty
	}
	write(t, dir, "evidence/EV-001.txt", "one")
	write(t, dir, ".brenner/store", "two")
	if dirty() {
		t.Error("evidence makes the work tree dirty")
	}
	write(t, dir, "code/evidence/x.py", "print()")
	if !dirty() {
		t.Error("a new file elsewhere does not make it dirty")
	}
}
