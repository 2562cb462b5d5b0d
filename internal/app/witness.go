package app

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/witness"
)

// Witness makes and keeps the checkpoints of the project. as is who acts.
func (a *App) Witness(as string) witness.Keeper {
	return witness.Keeper{Mail: a.Mail, Root: a.Project.Root, As: as}
}

// VerifyJournal recomputes the journal, or a thread's part of it, from the log, and holds it against every kept checkpoint, the tip of the
// ref and notes from outside (SCIENCE 11). A foreign server keeps no journal: nothing is found then.
func (a *App) VerifyJournal(ctx context.Context, thread string, notes ...string) (mail.JournalProof, error) {
	if !a.Mail.KeepsJournal() {
		return mail.JournalProof{}, nil
	}
	proof, err := a.Mail.VerifyJournal(ctx, thread)
	if err == nil {
		err = a.Witness(protocol.Operator).Hold(ctx, &proof)
	}
	for _, note := range notes {
		proof.HoldNote(note, "the checkpoint from outside")
	}
	return proof, err
}
