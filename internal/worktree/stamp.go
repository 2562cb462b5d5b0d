package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"brenner/internal/session"
)

var _ session.Stamper = Tree{}

// Stamp implements session.Stamper: the state of a file depends on the file, and on what HEAD and the
// index of the repository hold. Git would take a process for each file to say so.
func (t Tree) Stamp(name string) (string, bool) {
	file, err := t.folder.Stat(name)
	if err != nil {
		return "no file", errors.Is(err, fs.ErrNotExist)
	}
	repo, ok := t.repositoryStamp()
	return mark(file) + " " + repo, ok
}

func (t Tree) repositoryStamp() (string, bool) {
	dir, found := gitDir(t.root)
	if !found {
		return "no repository", true
	}
	head, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil {
		return "", false // a linked work tree keeps it elsewhere
	}
	parts := []string{strings.TrimSpace(string(head))}
	names := []string{"index", "packed-refs", filepath.Join("info", "exclude"), filepath.Join("reftable", "tables.list")}
	if ref, ok := strings.CutPrefix(parts[0], "ref: "); ok {
		if local, err := filepath.Localize(ref); err == nil {
			names = append(names, local)
		}
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			parts = append(parts, "-")
			continue
		}
		parts = append(parts, mark(info))
	}
	return strings.Join(parts, " "), true
}

// gitDir finds the repository that a folder lies in.
func gitDir(root string) (string, bool) {
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return filepath.Join(dir, ".git"), true
		}
		if filepath.Dir(dir) == dir {
			return "", false
		}
	}
}

func mark(info os.FileInfo) string {
	return fmt.Sprintf("%d/%d", info.ModTime().UnixNano(), info.Size())
}
