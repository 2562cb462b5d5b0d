package gitrepo

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// checkpointRef is where checkpoints are committed, beside every branch. Nothing pushes it (SCIENCE 11).
const checkpointRef = "refs/brenner/checkpoints"

// Checkpoint is the tip of the ref: its commit and the two files in it. All are empty if there is none.
type Checkpoint struct{ Commit, Note, Signature string }

// LastCheckpoint reads the tip of the ref.
func (r Repo) LastCheckpoint(ctx context.Context) (Checkpoint, error) {
	out, err := ask(ctx, r.Root, "rev-parse", "--verify", "--quiet", checkpointRef+"^{commit}")
	if err != nil {
		return Checkpoint{}, nil //nolint:nilerr // git says only that there is none
	}
	tip := Checkpoint{Commit: strings.TrimSpace(out)}
	if tip.Note, err = ask(ctx, r.Root, "cat-file", "blob", tip.Commit+":checkpoint"); err != nil {
		return tip, err
	}
	tip.Signature, err = ask(ctx, r.Root, "cat-file", "blob", tip.Commit+":checkpoint.sig")
	if err != nil {
		tip.Signature = ""
	}
	return tip, nil
}

// CommitCheckpoint commits a note, and its signature if there is one, behind the tip that was seen. No hook or filter of the project
// takes part, and git signs nothing. CONFLICT: another process moved the ref meanwhile.
func (r Repo) CommitCheckpoint(ctx context.Context, tip, next Checkpoint, by Identity) (string, error) {
	if next.Note == tip.Note && next.Signature == tip.Signature {
		return tip.Commit, nil
	}
	var tree strings.Builder
	for _, file := range []struct{ name, text string }{{"checkpoint", next.Note}, {"checkpoint.sig", next.Signature}} {
		if file.text == "" {
			continue
		}
		id, err := tell(ctx, r.Root, file.text, "hash-object", "-w", "--no-filters", "--stdin")
		if err != nil {
			return "", err
		}
		tree.WriteString("100644 blob " + id + "\t" + file.name + "\n")
	}
	id, err := tell(ctx, r.Root, tree.String(), "mktree")
	if err != nil {
		return "", err
	}
	args := append(slices.Clip(by.settings), "commit-tree", "--no-gpg-sign", "-m", "checkpoint", id)
	old := strings.Repeat("0", len(id))
	if tip.Commit != "" {
		args, old = append(args, "-p", tip.Commit), tip.Commit
	}
	commit, err := tell(ctx, r.Root, "", args...)
	if err != nil {
		return "", err
	}
	if _, err := tell(ctx, r.Root, "", "update-ref", "--no-deref", checkpointRef, commit, old); err != nil {
		return "", protocol.Errorf(protocol.Conflict, "%s was moved meanwhile: %w", checkpointRef, err)
	}
	return commit, nil
}

// tell calls plumbing that writes objects, without anything that the project names, and returns its one line.
func tell(ctx context.Context, dir, text string, args ...string) (string, error) {
	cmd := asking(ctx, dir, args...)
	cmd.Stdin = strings.NewReader(text)
	out, err := output(cmd)
	return strings.TrimSpace(out), err
}
