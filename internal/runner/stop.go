package runner

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/session"
)

// stopSubject is how a person ends a run, by `brenner run T --stop` or by mail: a message on the
// thread from a sender that is not one of the agents that the run plays.
const stopSubject = string(session.WordStop)

// Stop asks the runner of a thread to end. The message is on the thread before Stop returns.
func Stop(ctx context.Context, s *session.Sessions, thread, as, reason string) (mail.Message, error) {
	return s.TellRun(ctx, thread, as, session.WordStop, reason)
}
