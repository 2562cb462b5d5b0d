// Package worktree gives sessions the files of a project: atomic writes, and one file's state
// in git.
package worktree

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"brenner/internal/gitrepo"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// maxArtifactBytes bounds what is read back of a persisted artifact.
const maxArtifactBytes = 64 << 20

// Tree is a project's folder. It implements session.Worktree.
type Tree struct {
	root   string
	folder projectfs.Folder
}

var _ session.Worktree = Tree{}

// At returns the tree of a project's folder.
func At(root string) Tree { return Tree{root, projectfs.At(root)} }

// Read implements session.Worktree.
func (t Tree) Read(name string) ([]byte, bool, error) {
	data, err := t.folder.Read(name, maxArtifactBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// AtHead implements session.Worktree.
func (t Tree) AtHead(ctx context.Context, name string) ([]byte, bool, error) {
	repo, ok := gitrepo.Open(ctx, t.root)
	if !ok {
		return nil, false, nil
	}
	return repo.Content(ctx, t.path(name), maxArtifactBytes)
}

// List implements session.Worktree.
func (t Tree) List(folder string) ([]string, error) {
	entries, err := t.folder.List(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	return names, err
}

// Write implements session.Worktree.
func (t Tree) Write(name string, data []byte) error { return t.folder.Write(name, data, 0o644) }

// Committable implements session.Worktree.
func (t Tree) Committable(ctx context.Context, name, as string) error {
	if _, err := t.folder.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	repo, ok := gitrepo.Open(ctx, t.root)
	if !ok {
		return protocol.Errorf(protocol.GitFailed, "the project is not in a git repository: nothing was written").
			WithFindings([]protocol.Finding{protocol.NewFinding(protocol.GitFailed, "the project is not in a git repository").
				WithFix("make a git repository of the project, or persist without a commit")})
	}
	if _, err := repo.Identity(ctx, as); err != nil {
		return err
	}
	return repo.Committable(ctx, t.path(name))
}

// State implements session.Worktree. Outside a repository a file is never committed; what leads out
// of the project is no file of its own.
func (t Tree) State(ctx context.Context, name string) (session.FileState, error) {
	if _, err := t.folder.Stat(name); err != nil {
		return session.FileState{}, nil //nolint:nilerr // reading or writing it says why
	}
	repo, ok := gitrepo.Open(ctx, t.root)
	if !ok {
		return session.FileState{Exists: true}, nil
	}
	state, err := repo.State(ctx, t.path(name))
	return session.FileState{Exists: state.Exists, Committed: state.Committed, Commit: state.Commit}, err
}

// Commit implements session.Worktree.
func (t Tree) Commit(ctx context.Context, name, as, message string) (session.Commit, error) {
	if _, err := t.folder.Stat(name); err != nil {
		return session.Commit{}, err
	}
	repo, ok := gitrepo.Open(ctx, t.root)
	if !ok {
		return session.Commit{}, protocol.Errorf(protocol.GitFailed, "%s is not in a git repository", t.root)
	}
	by, err := repo.Identity(ctx, as)
	if err != nil {
		return session.Commit{}, err
	}
	before, err := repo.State(ctx, t.path(name))
	if err != nil {
		return session.Commit{}, err
	}
	made := session.Commit{}
	if made.Hash, err = repo.CommitFile(ctx, t.path(name), message, by); by.StandIn && made.Hash != before.Commit {
		made.StandIn = by.Text
	}
	return made, err
}

// path is for git, which wants to be told where a file is. It is asked after the folder was.
func (t Tree) path(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }
