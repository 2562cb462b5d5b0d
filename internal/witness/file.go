package witness

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"brenner/internal/crate"
	"brenner/internal/journal"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// File is a checkpoint that travels between colleagues.
type File struct {
	journal.Witnessed
	Proofs []Proof `json:"proofs"`
}

// Proof is a consistency proof from an earlier checkpoint.
type Proof struct {
	From   int64         `json:"from"`
	Hashes journal.Proof `json:"hashes"`
}

// File makes the file of a checkpoint, with a proof from every one that was kept.
func (k Keeper) File(ctx context.Context, c Kept, tree *journal.Tree) (File, error) {
	file := File{c.Witnessed, []Proof{}}
	file.Signatures = protocol.NonNil(file.Signatures)
	all, err := k.All(ctx)
	for i := range all {
		last, parseErr := journal.ParseNote(all[i].Note)
		if err != nil || parseErr != nil || tree.Holds(last) != nil || last.Size >= tree.Size() {
			continue
		}
		var hashes journal.Proof
		if hashes, err = tree.Consistency(last.Size, tree.Size()); err == nil {
			file.Proofs = append(file.Proofs, Proof{last.Size, hashes})
		}
	}
	return file, err
}

var errTooMany = errors.New("it has more proofs than any journal")

// ReadFile reads the file of a checkpoint. INVALID_INPUT: it is none.
func ReadFile(data []byte) (File, journal.Checkpoint, error) {
	var f File
	err := errTooMany
	if strictjson.Bounded(data) {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		return f, journal.Checkpoint{}, protocol.Errorf(protocol.InvalidInput, "this is no file of a checkpoint: %w", err)
	}
	c, err := journal.ParseNote(f.Note)
	return f, c, err
}

// Seen is the last checkpoint of an origin that a user signed.
type Seen struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   string `json:"root"`
}

// Cosign signs the checkpoint of a file if it continues what was signed before; nil: nothing was. NOT_CONSISTENT: it does not, and
// nothing is signed.
func (f *File) Cosign(c journal.Checkpoint, last *Seen, signer *crate.Signer) (Seen, error) {
	if last != nil {
		before, err := journal.ParseNote(journal.NoteOf(last.Origin, last.Size, last.Root))
		if err == nil {
			err = c.Extends(before, f.proofFrom(last.Size))
		}
		if err != nil {
			return Seen{}, err
		}
	}
	signature, err := signer.SignNote(f.Note)
	if err != nil {
		return Seen{}, err
	}
	f.Add(journal.Witnessed{Signatures: []string{signature}})
	return Seen{c.Origin, c.Size, c.Root.Base64()}, nil
}

func (f *File) proofFrom(size int64) journal.Proof {
	for _, p := range f.Proofs {
		if p.From == size {
			return p.Hashes
		}
	}
	return nil
}

// Add takes the signatures of a file home. NOT_FOUND: its checkpoint is not one that was kept here. INVALID_INPUT: one is no
// signature of it.
func (k Keeper) Add(ctx context.Context, f File, c journal.Checkpoint, now time.Time) (Kept, error) {
	all, err := k.All(ctx)
	if err != nil {
		return Kept{}, err
	}
	for i := range all {
		if all[i].Note != f.Note {
			continue
		}
		for _, s := range f.Signatures {
			if _, err := crate.CheckNote(f.Note, s, nil, now); err != nil {
				return Kept{}, err
			}
		}
		return k.keep(ctx, c, Kept{Witnessed: journal.Witnessed{Note: f.Note, Signatures: f.Signatures}})
	}
	return Kept{}, protocol.Errorf(protocol.NotFound, "no checkpoint of %s with %d leaves and this root was kept here", c.Origin, c.Size)
}
