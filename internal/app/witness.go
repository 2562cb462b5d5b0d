package app

import (
	"context"

	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/witness"
)

// Witness makes and keeps the checkpoints of the project. as is who acts.
func (a *App) Witness(as string) witness.Keeper {
	return witness.Keeper{Mail: a.Mail, Root: a.Project.Root, As: as}
}

// checkpoints makes checkpoints by itself, where the settings ask for that (SCIENCE 11); nil: they do not.
func (a *App) checkpoints() func(context.Context, []mail.Message) []protocol.Finding {
	var kinds []journal.Kind
	for _, kind := range a.Config.Checkpoint.On {
		kinds = append(kinds, journal.Kind(kind))
	}
	if len(kinds) == 0 {
		return nil
	}
	return func(ctx context.Context, messages []mail.Message) []protocol.Finding {
		return a.Witness(protocol.Operator).After(ctx, kinds, messages)
	}
}

// VerifyJournal recomputes the journal, or a thread's part of it, from the log, and holds it against every kept checkpoint, the tip of the
// ref and notes from outside (SCIENCE 11). A foreign server keeps no journal: nothing is found then.
func (a *App) VerifyJournal(ctx context.Context, thread string, notes ...string) (mail.JournalProof, error) {
	if !a.Mail.KeepsJournal() {
		return mail.JournalProof{}, nil
	}
	proof, err := a.Mail.VerifyJournal(ctx, thread)
	if err == nil {
		err = a.HoldJournal(ctx, &proof, notes...)
	}
	return proof, err
}

// HoldJournal holds a journal that was recomputed against every kept checkpoint, the tip of the ref and notes from outside.
func (a *App) HoldJournal(ctx context.Context, proof *mail.JournalProof, notes ...string) error {
	if !a.Mail.KeepsJournal() {
		return nil
	}
	err := a.Witness(protocol.Operator).Hold(ctx, proof)
	for _, note := range notes {
		proof.HoldNote(note, "the checkpoint from outside")
	}
	return err
}
