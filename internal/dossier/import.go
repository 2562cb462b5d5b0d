package dossier

import (
	"context"

	"brenner/internal/evidencepack"
	"brenner/internal/mail/transfer"
	"brenner/internal/witness"
)

// Imported is what taking a crate in came to.
type Imported struct {
	transfer.Imported
	Evidence evidencepack.Taken
}

// Import takes a crate that was checked into a project: thread and evidence together, or nothing at all. EVIDENCE_CONFLICT: an
// id means something else there; the findings name all of them.
func (c Checked) Import(ctx context.Context, keeper witness.Keeper, pack *evidencepack.Pack) (Imported, error) {
	var done Imported
	taken, err := pack.Take(c.pack, func() error {
		var err error
		if done.Imported, err = transfer.ImportLines(ctx, keeper.Mail, c.Lines, nil); err != nil {
			return err
		}
		return keeper.Carry(ctx, c.ThreadID(), c.parts)
	})
	done.Evidence = taken
	return done, err
}
