package session

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// Settlements implements mail.Door.
func (d *Door) Settlements(ctx context.Context, thread mail.Thread) (fold.Settlements, error) {
	if d.sessions == nil {
		return fold.Settlements{}, nil
	}
	v, err := d.sessions.follow(ctx, thread)
	if err != nil {
		return fold.Settlements{}, err
	}
	return settledIn(v, thread), nil
}

// settledIn is what the messages of a thread settled.
func settledIn(v *fold.View, thread mail.Thread) fold.Settlements {
	settled := v.Settled.Clip()
	if thread.Enforced() && v.Complete() {
		settled.Completed = v.Completion
	}
	return settled
}
