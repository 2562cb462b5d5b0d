package runner

import (
	"context"
	"fmt"
	"time"

	"brenner/internal/turn"
)

// What holds for services that take no more, unless Options say otherwise.
const (
	DefaultRetries = 3
	DefaultBackOff = 30 * time.Second
	maxBackOff     = 15 * time.Minute
	maxRest        = 6 * time.Hour // a person decides about longer ones
)

// limited tells whether a program ended because its service takes no more for now, and another attempt is to
// be made. It notes until when the agent rests.
func (r *run) limited(ctx context.Context, round int, p participant, rec *agentRecord, path string) (bool, error) {
	failed := rec.End == Exited && (rec.ExitCode == nil || *rec.ExitCode != 0) || rec.End == AtDeadline || rec.End == Still
	if rec.End == SignedOut {
		return false, r.signedOut(ctx, p, rec, path, rec.Reason)
	}
	if !failed {
		return false, nil
	}
	t, err := r.folder.readTurn(round, p.name)
	if err != nil {
		return false, err
	}
	if t.Format == "text" && rec.End != Exited {
		t = turn.Turn{} // a text that was cut off is the agent's, not its program's
	}
	now := r.mail.Now()
	errs := lastPart(r.folder.file(round, p.name, ".err"))
	limit, met := t.Limit(errs, now)
	if words, barred := t.Barred(errs); barred && !met {
		return false, r.signedOut(ctx, p, rec, path, words)
	}
	if !met {
		return false, nil
	}
	rec.Limit = limit.Reason
	if limit.Words != "" {
		rec.Limit += ": " + limit.Words
	}
	until := limit.UntilTold(now, min(r.o.BackOff<<min(rec.Rests, 10), maxBackOff))
	if rec.Rests >= r.o.Retries || until.Sub(now) > maxRest {
		if !limit.Until.IsZero() {
			rec.Limit += fmt.Sprintf(" (until %s)", limit.Until.Local().Format(time.RFC3339))
		}
		return false, save(path, rec)
	}
	rec.End, rec.Rests, rec.RestingUntil = Rested, rec.Rests+1, until
	r.o.Slots.Rest(p.program, until)
	r.note(ctx, p, *rec)
	r.tell(Event{Kind: AgentResting, Round: round, Agent: p.name, Text: rec.resting()})
	return true, save(path, rec)
}

// resting says until when an agent rests, and why.
func (r *agentRecord) resting() string {
	return fmt.Sprintf("resting until %s (%s)", r.RestingUntil.Local().Format("2006-01-02 15:04:05"), r.Limit)
}

// restUntilAllowed waits until an agent may try again, also if another runner sent it to rest.
func restUntilAllowed(ctx context.Context, rec *agentRecord) {
	if rec.End != Rested {
		return
	}
	timer := time.NewTimer(time.Until(rec.RestingUntil))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
