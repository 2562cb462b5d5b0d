package witness

import (
	"context"
	"encoding/json"
	"time"

	"brenner/internal/crate"
	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/timestamp"
)

// Marks names the keys and authorities beside a checkpoint.
func Marks(w *journal.Witnessed) []string {
	var list []string
	for _, s := range w.Signatures {
		if signed, err := crate.CheckNote(w.Note, s, nil, time.Time{}); err == nil {
			list = append(list, "key "+signed.Signer)
		}
	}
	if answer, err := timestamp.Parse(w.Timestamp); w.Timestamp != nil && err == nil {
		list = append(list, "authority "+answer.Key())
	}
	return list
}

// Parts are what the journals of this project and of those that a thread came from say of it, as far as checkpoints cover it. A store
// without a journal has none.
func (k Keeper) Parts(ctx context.Context, thread string) ([]journal.Part, error) {
	if !k.Mail.KeepsJournal() {
		return nil, nil
	}
	var list []journal.Part
	own, err := k.own(ctx, thread)
	if err == nil && len(own.Checkpoints) > 0 {
		list = append(list, own)
	}
	if err != nil {
		return nil, err
	}
	notes, err := k.Mail.Carried(ctx, thread)
	for i := range notes {
		part, readErr := readPart(&notes[i])
		if readErr != nil {
			return nil, readErr
		}
		list = append(list, part)
	}
	return list, err
}

// own is the part of this project's journal. Checkpoints that the journal does not hold are left out: verify tells of them.
func (k Keeper) own(ctx context.Context, thread string) (journal.Part, error) {
	all, err := k.All(ctx)
	if err != nil || len(all) == 0 {
		return journal.Part{}, err
	}
	tree, part := &journal.Tree{}, journal.Part{}
	err = k.Mail.Leaves(ctx, func(l *mail.LeafRow) {
		tree.Add(l.Line())
		if l.ThreadID == thread {
			part.Leaves = append(part.Leaves, l.Leaf)
		}
	})
	if err != nil || len(part.Leaves) == 0 {
		return journal.Part{}, err
	}
	part.Origin = tree.Origin()
	for i := range all {
		if c, err := journal.ParseNote(all[i].Note); err == nil && tree.Holds(c) == nil {
			part.Checkpoints = append(part.Checkpoints, all[i].Witnessed)
		}
	}
	return part, part.Prove(tree, Marks)
}

// Carry keeps what a crate says of a thread in other journals, and signatures of checkpoints that were made here. CONFLICT: it
// contradicts what was taken in before.
func (k Keeper) Carry(ctx context.Context, thread string, parts []journal.Part) error {
	if !k.Mail.KeepsJournal() || len(parts) == 0 {
		return nil
	}
	tree, err := k.tree(ctx)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if tree.Size() > 0 && part.Origin == tree.Origin() {
			err = k.home(ctx, tree, part)
		} else {
			err = k.carry(ctx, thread, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// home takes signatures and time-stamps of this journal's own checkpoints back.
func (k Keeper) home(ctx context.Context, tree *journal.Tree, part journal.Part) error {
	for _, w := range part.Checkpoints {
		c, err := journal.ParseNote(w.Note)
		if err != nil || tree.Holds(c) != nil {
			continue // of a history that is not ours
		}
		if _, err := k.keep(ctx, c, Kept{Witnessed: w}); err != nil {
			return err
		}
	}
	return nil
}

func (k Keeper) carry(ctx context.Context, thread string, part journal.Part) error {
	_, err := k.Mail.ChangeNote(ctx, time.Time{}, mail.CarriedNotes, thread+"/"+part.Origin, func(note *mail.Note) error {
		united := part
		if len(note.Data) > 0 {
			known, err := readPart(note)
			if err == nil {
				united, err = known.Unite(part)
			}
			if err != nil {
				return err
			}
		}
		var err error
		note.Data, err = json.Marshal(united)
		return err
	})
	return err
}

func readPart(note *mail.Note) (part journal.Part, err error) {
	if err = json.Unmarshal(note.Data, &part); err != nil {
		err = protocol.Errorf(protocol.Internal, "the part of a journal under %s cannot be read: %w", note.Key, err)
	}
	return part, err
}

// Trust is whom a reader believes.
type Trust struct {
	Signers     crate.Signers // nil: nobody
	Authorities []byte        // certificates in PEM; nil: none
	Now         time.Time     // for keys that are trusted for a time
}

// Seal is what a reader may think of a checkpoint.
type Seal struct {
	Size      int64
	Signers   []crate.Signature
	StampedAt time.Time // zero: it has no time-stamp
	Authority string    // who stamped it
	Stamped   crate.SignatureState
}

// Judge says who witnessed a checkpoint, and whether the reader believes them. INVALID_INPUT: a signature or time-stamp is not of it.
func (t Trust) Judge(w *journal.Witnessed) (Seal, error) {
	seal := Seal{Size: w.Size(), Stamped: crate.Unsigned}
	for _, s := range w.Signatures {
		signed, err := crate.CheckNote(w.Note, s, t.Signers, t.Now)
		if err != nil {
			return seal, err
		}
		seal.Signers = append(seal.Signers, signed)
	}
	if w.Timestamp == nil {
		return seal, nil
	}
	answer, err := timestamp.Parse(w.Timestamp)
	if err != nil {
		return seal, err
	}
	if !answer.Of(w.Note) {
		return seal, protocol.Errorf(protocol.InvalidInput, "the time-stamp is of another text than the checkpoint")
	}
	seal.StampedAt, seal.Authority, seal.Stamped = answer.At, answer.By(), crate.Unknown
	if t.Authorities != nil && answer.Trusted(t.Authorities) == nil {
		seal.Stamped = crate.Valid
	}
	return seal, nil
}

// Believed tells whether a witness whom the reader named has seen the checkpoint.
func (s *Seal) Believed() bool {
	for _, signed := range s.Signers {
		if signed.State == crate.Valid {
			return true
		}
	}
	return s.Stamped == crate.Valid
}

// By names the witnesses that are believed, or all if none is, and the day of a time-stamp among them.
func (s *Seal) By() (names []string, at time.Time) {
	want := crate.Unknown
	if s.Believed() {
		want = crate.Valid
	}
	for _, signed := range s.Signers {
		if signed.State == want {
			names = append(names, signed.Signer)
		}
	}
	if s.Stamped == want {
		names, at = append(names, s.Authority), s.StampedAt
	}
	return names, at
}
