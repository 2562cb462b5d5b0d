// Package gitrepo asks the git program about one file and commits that file alone. It never
// pushes, never stages anything else, and never reads or changes what other paths hold.
package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// Repo is a git work tree.
type Repo struct {
	Root string // absolute path of the work tree
}

// Open finds the repository that holds dir. The second result is false if there is none, or
// no git program.
func Open(ctx context.Context, dir string) (Repo, bool) {
	out, err := run(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return Repo{}, false
	}
	return Repo{Root: filepath.FromSlash(strings.TrimRight(out, "\r\n"))}, true
}

// FileState is how far a file has come into the history.
type FileState struct {
	Exists    bool
	Committed bool   // the file is what HEAD holds
	Commit    string // the last commit that touched it; empty if there is none
}

// State measures a file; nothing about it is stored anywhere else.
func (r Repo) State(ctx context.Context, path string) (FileState, error) {
	var s FileState
	if _, err := os.Stat(path); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return s, nil
		}
		return s, protocol.Errorf(protocol.StoreUnavailable, "cannot look at %s: %w", path, err)
	}
	s.Exists = true
	status, err := run(ctx, r.Root, "status", "--porcelain", "--untracked-files=all", "--ignored", "--", path)
	if err != nil {
		return s, err
	}
	if commit, err := run(ctx, r.Root, "log", "-1", "--format=%H", "--", path); err == nil {
		s.Commit = strings.TrimSpace(commit)
	}
	s.Committed = strings.TrimSpace(status) == "" && s.Commit != ""
	return s, nil
}

// Committable checks what CommitFile will need beside an identity, and changes nothing: a path that this repository keeps, not
// one that it ignores or that lies in another one.
func (r Repo) Committable(ctx context.Context, path string) error {
	if inner, ok := Open(ctx, existing(filepath.Dir(path))); !ok || inner.Root != r.Root {
		return protocol.Errorf(protocol.GitFailed, "%s does not lie in the git repository %s", path, r.Root)
	}
	if tracked, err := run(ctx, r.Root, "ls-files", "--", path); err != nil || tracked != "" {
		return err // what is tracked is never ignored
	}
	// check-ignore takes paths, not patterns, and refuses to be told so.
	if _, err := run(ctx, r.Root, "--no-literal-pathspecs", "check-ignore", "--quiet", "--", path); err == nil {
		return protocol.Errorf(protocol.GitFailed, "git ignores %s: take it out of .gitignore, or persist without --commit", path)
	}
	return nil
}

// existing returns the nearest folder above a path that is there.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// CommitFile commits path alone and returns the commit. What else is staged or changed stays
// as it is. If the file already is what HEAD holds, it returns the commit that put it there. A ctx that ends
// while git writes does not stop it at once (see Repo.write).
func (r Repo) CommitFile(ctx context.Context, path, message string, by Identity) (string, error) {
	before, err := r.State(ctx, path)
	if err != nil {
		return "", err
	}
	if before.Committed {
		return before.Commit, nil
	}
	if err := r.write(ctx, "add", "--", path); err != nil {
		return "", err
	}
	err = r.write(ctx, append(slices.Clip(by.settings), "commit", "--quiet", "--only", "--message", message, "--", path)...)
	after, stateErr := r.State(context.WithoutCancel(ctx), path)
	switch {
	case stateErr == nil && after.Committed:
		return after.Commit, nil // by us, or by another who was faster: git then has nothing to commit
	case err != nil:
		return "", errors.Join(err, r.unstage(path, before))
	}
	return after.Commit, stateErr
}

// unstage takes back the one thing a failed commit has changed, also when ctx has ended.
func (r Repo) unstage(path string, before FileState) error {
	args := []string{"reset", "--quiet", "--", path}
	if before.Commit == "" {
		args = []string{"rm", "--quiet", "--cached", "--", path}
	}
	return r.write(context.Background(), args...)
}

// stopTime is how long git may take to end what it writes, and then to stop when it is asked to.
const stopTime = 5 * time.Second

// write calls git to change the index or the history. A git that is interrupted while it makes index.lock leaves
// it behind, so that every later call fails. It is therefore left to end by itself for a while after ctx has ended.
func (r Repo) write(ctx context.Context, args ...string) error {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(stopTime):
			cancel()
		case <-late.Done():
		}
	})
	defer stop()
	_, err := run(late, r.Root, args...)
	return err
}

// run calls git with paths taken literally and messages in English, so that neither a file
// name nor a locale changes what it does. A git that only reads takes no lock.
func run(ctx context.Context, dir string, args ...string) (string, error) {
	return runWith(ctx, dir, "GIT_LITERAL_PATHSPECS=1", args...)
}

func runWith(ctx context.Context, dir, pathspecs string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	// A git that is asked to stop takes most of its locks away; one that is killed leaves them all.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopTime
	cmd.Env = append(Environment(), pathspecs, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", explain(verb(args), stderr.String(), err)
	}
	return stdout.String(), nil
}

// verb is the command among the words of a call, behind its settings.
func verb(args []string) string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

func explain(verb, stderr string, err error) error {
	said := strings.TrimSpace(stderr)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return protocol.Errorf(protocol.NotFound, "the git program is not installed: %w", err)
	case strings.Contains(said, "Please tell me who you are"), strings.Contains(said, "empty ident name"):
		return nobody()
	case said == "":
		return protocol.Errorf(protocol.GitFailed, "git %s failed: %w", verb, err)
	}
	return protocol.Errorf(protocol.GitFailed, "git %s: %s: %w", verb, said, err)
}
