package session

import (
	"context"

	"brenner/internal/mail"
)

// Settlements implements mail.Door.
func (d *Door) Settlements(ctx context.Context, thread mail.Thread) (mail.Settlements, error) {
	if d.sessions == nil {
		return mail.Settlements{}, nil
	}
	v, err := d.sessions.look(ctx, thread)
	if err != nil {
		return mail.Settlements{}, err
	}
	settled := v.Settled.Clip()
	if thread.Enforced() && v.Complete() {
		settled.Completed = v.Completion
	}
	return settled, nil
}
