// Package worktree gives sessions the files of a project: atomic writes, and one file's state
// in git.
package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/atomicfile"
	"brenner/internal/gitrepo"
	"brenner/protocol"
	"brenner/session"
)

// Tree is a project's folder. It implements session.Worktree.
type Tree struct{ root string }

var _ session.Worktree = Tree{}

// At returns the tree of a project's folder.
func At(root string) Tree { return Tree{root} }

func (t Tree) path(name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil {
		return "", protocol.Errorf(protocol.NotAllowed, "%q is not a path inside the project", name)
	}
	return filepath.Join(t.root, local), nil
}

// Read implements session.Worktree.
func (t Tree) Read(name string) ([]byte, bool, error) {
	path, err := t.path(name)
	if err != nil {
		return nil, false, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// Write implements session.Worktree.
func (t Tree) Write(name string, data []byte) error {
	path, err := t.path(name)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, data, 0o644)
}

// Repository implements session.Worktree.
func (t Tree) Repository(ctx context.Context) bool {
	_, ok := gitrepo.Open(ctx, t.root)
	return ok
}

// State implements session.Worktree. Outside a repository a file is never committed.
func (t Tree) State(ctx context.Context, name string) (session.FileState, error) {
	path, err := t.path(name)
	if err != nil {
		return session.FileState{}, err
	}
	repo, ok := gitrepo.Open(ctx, t.root)
	if !ok {
		_, err := os.Stat(path)
		return session.FileState{Exists: err == nil}, nil
	}
	state, err := repo.State(ctx, path)
	return session.FileState{Exists: state.Exists, Committed: state.Committed, Commit: state.Commit}, err
}

// Commit implements session.Worktree.
func (t Tree) Commit(ctx context.Context, name, message string) (string, error) {
	path, err := t.path(name)
	if err != nil {
		return "", err
	}
	repo, ok := gitrepo.Open(ctx, t.root)
	if !ok {
		return "", protocol.Errorf(protocol.GitFailed, "%s is not in a git repository", t.root)
	}
	return repo.CommitFile(ctx, path, message)
}
