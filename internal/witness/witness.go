// Package witness makes checkpoints of a project's journal, keeps them, and has others witness them (SCIENCE 11). The journal
// itself is the store's; here it meets signatures, git and the files that travel between colleagues.
package witness

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"brenner/internal/crate"
	"brenner/internal/gitrepo"
	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Keeper makes and keeps the checkpoints of a project.
type Keeper struct {
	Mail *mail.Service
	Root string // folder of the project, for its git repository
	As   string // who commits where git knows nobody
}

// Kept is a checkpoint as the store keeps it.
type Kept struct {
	journal.Witnessed
	GitCommit string `json:"git_commit,omitempty"`
}

func keyOf(c journal.Checkpoint) string { return fmt.Sprintf("%s/%019d", c.Origin, c.Size) }

// Request is how a checkpoint is made.
type Request struct {
	Signer *crate.Signer // nil: unsigned
	Git    bool
}

// Make makes the checkpoint of the journal as it is now, and keeps it. NOT_FOUND: the journal is empty. NOT_CONSISTENT: the tip of
// the ref is no beginning of it.
func (k Keeper) Make(ctx context.Context, r Request) (Kept, *journal.Tree, error) {
	tree, err := k.tree(ctx)
	if err != nil {
		return Kept{}, nil, err
	}
	if tree.Size() == 0 {
		return Kept{}, nil, protocol.Errorf(protocol.NotFound, "the journal is empty: nothing was begun, predicted or recorded yet")
	}
	kept, err := k.make(ctx, tree, r)
	return kept, tree, err
}

// make makes the checkpoint of a tree that is not empty.
func (k Keeper) make(ctx context.Context, tree *journal.Tree, r Request) (Kept, error) {
	c := tree.Checkpoint(tree.Size())
	added := Kept{Witnessed: journal.Witnessed{Note: c.Note()}}
	if r.Signer != nil {
		signature, err := r.Signer.SignNote(added.Note)
		if err != nil {
			return Kept{}, err
		}
		added.Signatures = []string{signature}
	}
	if r.Git {
		var err error
		if added.GitCommit, err = k.commit(ctx, tree, added); err != nil {
			return Kept{}, err
		}
	}
	return k.keep(ctx, c, added)
}

func (k Keeper) tree(ctx context.Context) (*journal.Tree, error) {
	tree := &journal.Tree{}
	return tree, k.Mail.Leaves(ctx, func(l *mail.LeafRow) { tree.Add(l.Line()) })
}

// commit puts a checkpoint on the ref, behind the tip that it continues.
func (k Keeper) commit(ctx context.Context, tree *journal.Tree, c Kept) (string, error) {
	repo, ok := gitrepo.Open(ctx, k.Root)
	if !ok {
		return "", protocol.Errorf(protocol.GitFailed, "the project is not in a git repository")
	}
	by, err := repo.Identity(ctx, k.As)
	if err != nil {
		return "", protocol.Errorf(protocol.GitFailed, "%w", err)
	}
	tip, err := repo.LastCheckpoint(ctx)
	if err != nil {
		return "", err
	}
	next := gitrepo.Checkpoint{Note: c.Note}
	if len(c.Signatures) > 0 {
		next.Signature = c.Signatures[0]
	}
	if tip.Commit != "" {
		last, err := journal.ParseNote(tip.Note)
		if err == nil {
			err = tree.Holds(last)
		}
		if err != nil {
			return "", journal.NotConsistent("the tip of the ref is no beginning of the journal: %w", err)
		}
		if tip.Note == c.Note && next.Signature == "" {
			return tip.Commit, nil
		}
	}
	return repo.CommitCheckpoint(ctx, tip, next, by)
}

// keep adds to what is kept of a checkpoint.
func (k Keeper) keep(ctx context.Context, c journal.Checkpoint, added Kept) (kept Kept, err error) {
	_, err = k.Mail.ChangeNote(ctx, time.Time{}, mail.CheckpointNotes, keyOf(c), func(note *mail.Note) error {
		kept = Kept{Witnessed: journal.Witnessed{Note: added.Note, Signatures: []string{}}}
		if len(note.Data) > 0 {
			if err := json.Unmarshal(note.Data, &kept); err != nil {
				return protocol.Errorf(protocol.Internal, "the kept checkpoint %s cannot be read: %w", keyOf(c), err)
			}
		}
		if kept.Note != added.Note {
			return journal.NotConsistent("another checkpoint of %s with %d leaves was kept here", c.Origin, c.Size)
		}
		kept.Add(added.Witnessed)
		kept.GitCommit = cmp.Or(added.GitCommit, kept.GitCommit)
		note.Data, err = json.Marshal(kept)
		return err
	})
	return kept, err
}

// All returns the checkpoints that were kept, in the order of origin and size.
func (k Keeper) All(ctx context.Context) ([]Kept, error) {
	notes, err := k.Mail.CheckpointNotes(ctx)
	list := make([]Kept, len(notes))
	for i := range notes {
		if err == nil {
			err = json.Unmarshal(notes[i].Data, &list[i])
		}
	}
	return list, err
}

// Hold compares a proof of the journal with every kept checkpoint of it and the tip of the ref.
func (k Keeper) Hold(ctx context.Context, proof *mail.JournalProof) error {
	if err := k.HoldKept(ctx, proof); err != nil {
		return err
	}
	repo, ok := gitrepo.Open(ctx, k.Root)
	if !ok {
		return nil
	}
	tip, err := repo.LastCheckpoint(ctx)
	if err != nil || tip.Commit == "" {
		return err
	}
	proof.HoldNote(tip.Note, "the tip of the ref")
	return nil
}

// HoldKept compares a proof of the journal with every kept checkpoint.
func (k Keeper) HoldKept(ctx context.Context, proof *mail.JournalProof) error {
	kept, err := k.All(ctx)
	if err != nil {
		return err
	}
	for i := range kept {
		proof.HoldNote(kept[i].Note, "a kept checkpoint")
	}
	return nil
}
