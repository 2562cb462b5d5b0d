package gitrepo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Head returns the commit that is checked out, empty before the first, and whether the work tree below dir differs from it, leaving
// some folders out: a file is changed, gone, or new and not ignored. Contents are compared by us.
func (r Repo) Head(ctx context.Context, dir string, except ...string) (commit string, dirty bool, err error) {
	out, err := ask(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return "", false, nil // nothing was committed yet
	}
	commit = strings.TrimSpace(out)
	tree, err := r.tree(ctx, dir, commit)
	if err != nil {
		return commit, false, err
	}
	leftOut := func(name string) bool {
		return slices.ContainsFunc(except, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
	}
	for name, entry := range tree {
		if leftOut(name) {
			continue
		}
		if same, err := r.holdsEntry(ctx, filepath.Join(dir, filepath.FromSlash(name)), entry); err != nil || !same {
			return commit, err == nil, err
		}
	}
	// A link or file that is called like a folder to leave out is none of it, and is listed without a slash.
	listed, err := ask(ctx, dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		if _, known := tree[strings.TrimSuffix(name, "/")]; known || name == "" || leftOut(name) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return commit, true, nil
		}
	}
	return commit, false, err
}

// submodule is how a tree names the commit of another repository.
const submodule = "commit"

// tree lists what a commit holds below dir, by names relative to dir.
func (r Repo) tree(ctx context.Context, dir, commit string) (map[string]object, error) {
	out, err := ask(ctx, dir, "ls-tree", "-r", "-l", "-z", commit)
	if err != nil {
		return nil, err
	}
	tree := map[string]object{}
	for line := range strings.SplitSeq(out, "\x00") {
		facts, name, _ := strings.Cut(line, "\t")
		words := strings.Fields(facts) // mode, kind, id, size
		if len(words) != 4 {
			continue
		}
		size, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil {
			size = 0 // of a submodule: -
		}
		tree[name] = object{id: words[2], kind: words[1], size: size}
	}
	return tree, nil
}

// holdsEntry tells whether what lies at path is what a tree holds. A submodule is asked for its commit alone; one that was not fetched
// differs from nothing.
func (r Repo) holdsEntry(ctx context.Context, path string, entry object) (bool, error) {
	if entry.kind != submodule {
		return r.holds(ctx, path, entry)
	}
	if _, err := os.Lstat(filepath.Join(path, ".git")); err != nil {
		return errors.Is(err, fs.ErrNotExist), nil
	}
	out, err := ask(ctx, path, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return err == nil && strings.TrimSpace(out) == entry.id, nil
}
