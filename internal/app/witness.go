package app

import (
	"context"
	"encoding/json"

	"brenner/internal/api"
	"brenner/internal/crate"
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

// cosigner signs the checkpoints of the journals that a person's settings name; nil without a key.
func (a *App) cosigner(signer *crate.Signer) func(api.CheckpointFile) (api.CheckpointFile, error) {
	if signer == nil {
		return nil
	}
	cosigner := witness.Cosigner{Signer: signer, Origins: protocol.NonNil(a.Config.Checkpoint.Cosign)}
	return func(in api.CheckpointFile) (out api.CheckpointFile, err error) {
		data, err := json.Marshal(in)
		if err != nil {
			return in, err
		}
		file, _, err := witness.ReadFile(data)
		if err == nil {
			err = cosigner.Cosign(&file)
		}
		if err == nil {
			data, err = json.Marshal(file)
		}
		if err == nil {
			err = json.Unmarshal(data, &out)
		}
		return out, err
	}
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
