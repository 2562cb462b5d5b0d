// Package gitrepo asks the git program about files and commits one file alone. It never pushes and never stages anything else. What
// only reads starts no program that the repository names: no hook, filter, monitor or helper (PROTOCOL 16).
package gitrepo

import (
	"context"
	"errors"
	"os"
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

// Open finds the repository that holds dir. The second result is false if there is none, or no git program. A repository whose settings
// put its work tree elsewhere is none: the files of a project lie beside it.
func Open(ctx context.Context, dir string) (Repo, bool) {
	out, err := ask(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return Repo{}, false
	}
	root := filepath.FromSlash(strings.TrimRight(out, "\r\n"))
	_, err = os.Lstat(filepath.Join(root, ".git"))
	return Repo{Root: root}, err == nil
}

// FileState is how far a file has come into the history.
type FileState struct {
	Exists    bool
	Committed bool   // the file is what HEAD holds
	Commit    string // the commit that gave the file its content in HEAD; empty if it is not there
}

// State measures a file; nothing about it is stored anywhere else.
func (r Repo) State(ctx context.Context, path string) (FileState, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return FileState{}, nil
	} else if err != nil {
		return FileState{}, protocol.Errorf(protocol.StoreUnavailable, "cannot look at %s: %w", path, err)
	}
	name, err := r.name(path)
	if err != nil {
		return FileState{Exists: true}, err
	}
	asked, err := r.objects(ctx)
	if err != nil {
		return FileState{Exists: true}, err
	}
	defer asked.close()
	commit, content, err := asked.lastChange(name)
	if err != nil || commit == "" {
		return FileState{Exists: true}, err
	}
	same, err := r.holds(ctx, path, content)
	return FileState{Exists: true, Committed: same, Commit: commit}, err
}

// Committable checks what CommitFile will need beside an identity, and changes nothing: a path that this repository keeps, not
// one that it ignores or that lies in another one.
func (r Repo) Committable(ctx context.Context, path string) error {
	if inner, ok := Open(ctx, existing(filepath.Dir(path))); !ok || inner.Root != r.Root {
		return protocol.Errorf(protocol.GitFailed, "%s does not lie in the git repository %s", path, r.Root)
	}
	if tracked, err := ask(ctx, r.Root, "ls-files", "--", path); err != nil || tracked != "" {
		return err // what is tracked is never ignored
	}
	// check-ignore takes paths, not patterns, and refuses to be told so.
	if _, err := ask(ctx, r.Root, "--no-literal-pathspecs", "check-ignore", "--quiet", "--", path); err == nil {
		return protocol.Errorf(protocol.GitFailed, "git ignores %s: take it out of .gitignore, or persist without a commit", path)
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
