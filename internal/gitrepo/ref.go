package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Tip returns the commit that a ref such as refs/brenner/checkpoints points to. The second result is false if there is no such ref.
func (r Repo) Tip(ctx context.Context, ref string) (string, bool) {
	out, err := ask(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	return strings.TrimSpace(out), err == nil
}

// Extend commits files, and nothing else, on top of a ref and returns the commit. tip is what the caller saw there, empty if there was no
// such ref. Neither work tree nor index is touched; no hook, filter or signature of git takes part, and nothing is pushed.
// CONFLICT: the ref has moved since.
func (r Repo) Extend(ctx context.Context, ref, tip string, files map[string][]byte, message string, by Identity) (string, error) {
	tree, err := r.writeTree(ctx, files)
	if err != nil {
		return "", err
	}
	args := append(slices.Clip(by.settings), "commit-tree", "--no-gpg-sign", "-m", message, tree)
	if tip != "" {
		args = append(args, "-p", tip)
	}
	commit, err := ask(ctx, r.Root, args...)
	if err != nil {
		return "", err
	}
	commit = strings.TrimSpace(commit)
	if tip == "" {
		tip = strings.Repeat("0", len(commit)) // git's word for a ref that must not be there
	}
	_, err = ask(ctx, r.Root, "update-ref", "-m", message, "--", ref, commit, tip)
	if err != nil {
		if now, _ := r.Tip(ctx, ref); now != strings.Trim(tip, "0") {
			return "", protocol.Errorf(protocol.Conflict, "%s has moved to %s meanwhile", ref, now)
		}
		return "", err
	}
	return commit, nil
}

// writeTree keeps files of one folder in the object store.
func (r Repo) writeTree(ctx context.Context, files map[string][]byte) (string, error) {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		id, err := r.feed(ctx, files[name], "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&list, "100644 blob %s\t%s\x00", id, name)
	}
	return r.feed(ctx, []byte(list.String()), "mktree", "-z")
}

// feed calls git with something to read and returns the id that it prints.
func (r Repo) feed(ctx context.Context, input []byte, args ...string) (string, error) {
	cmd := asking(ctx, r.Root, args...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := output(cmd)
	return strings.TrimSpace(out), err
}
