package session

import (
	"context"

	"brenner/mail"
)

// Completion implements mail.Door.
func (d *Door) Completion(ctx context.Context, thread mail.Thread) (int64, error) {
	if d.sessions == nil {
		return 0, nil
	}
	return d.sessions.completion(ctx, thread)
}

// completion returns the message that completed the session of a thread, 0 while it is open.
func (s *Sessions) completion(ctx context.Context, thread mail.Thread) (int64, error) {
	if !thread.Enforced() {
		return 0, nil
	}
	v, err := s.look(ctx, thread)
	if err != nil || v.Phase() != PhaseComplete {
		return 0, err
	}
	return v.Completion, nil
}
