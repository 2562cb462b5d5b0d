package runner

import (
	"context"

	"brenner/internal/program"
	"brenner/internal/turn"
)

// refused hears whether the service of a program at work refuses it, and lets every surface know.
func (r *run) refused(p participant, rec *agentRecord, t *turn.Turn) {
	text := ""
	if retry, ok := t.Retrying(); ok {
		text = retry.String()
	}
	if text == rec.retrying {
		return
	}
	rec.retrying = text
	r.note(context.Background(), p, *rec)
}

// signedOut notes that an agent is not started, or was ended, because its service does not know it. Nobody of its program is started
// before somebody has signed it in.
func (r *run) signedOut(ctx context.Context, p participant, rec *agentRecord, path, words string) error {
	r.o.Slots.Bar(p.program, words)
	rec.End, rec.Reason, rec.Program, rec.EndedAt = SignedOut, words, p.program, r.mail.Now()
	if rec.Begun.IsZero() {
		rec.Begun, rec.Host = rec.EndedAt, r.host
	}
	r.note(ctx, p, *rec)
	return save(path, rec)
}

// signIn is how a person signs the program of an agent in.
func (r *agentRecord) signIn() string { return program.SignIn(r.Program, r.Reason) }
