package session

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// tell completes a message and sends it to all who still receive mail of a thread.
func (s *Sessions) tell(ctx context.Context, v *fold.View, out mail.Outgoing) (mail.Verdict, error) {
	to, err := s.mail.Receivers(ctx, v.Participants, out.From)
	if err != nil {
		return mail.Verdict{}, err
	}
	out.ThreadID, out.To = v.Fold.ThreadID(), to
	return s.mail.Send(ctx, out)
}

// Receivers are those who still receive mail of the thread from a sender; the sender itself if nobody else does.
func (s *Session) Receivers(ctx context.Context, from string) ([]string, error) {
	return s.of.mail.Receivers(ctx, s.View.Participants, from)
}
