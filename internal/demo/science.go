package demo

import (
	"context"
	"fmt"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// experiment does the test that would teach most for its effort, records what came out, and shows
// how the pool of beliefs moved.
func (d *director) experiment(ctx context.Context, thread string) error {
	of, err := d.Sessions.Session(ctx, thread)
	if err != nil {
		return err
	}
	next, err := of.Next(science.ByBitsPerEffort)
	if err != nil || len(next.Tests) == 0 {
		return err
	}
	best := next.Tests[0]
	d.tell(Moment{Note: fmt.Sprintf("next: %s (%s), %.2f bits for an effort of %.0f", best.Test, best.Name, best.Bits, best.Effort)})
	before := pool(of)
	outcome := best.Labels[min(1, len(best.Labels)-1)] // as the second hypothesis expects
	_, err = d.Sessions.RecordResult(ctx, session.ResultRequest{
		ThreadID: thread, Test: string(best.Test), As: mail.Operator, Outcome: outcome, Note: "Nobody went to the river: this is a demo",
	})
	if err != nil {
		return err
	}
	if of, err = d.Sessions.Session(ctx, thread); err == nil {
		d.tell(Moment{Note: fmt.Sprintf("%s gave %q: belief moved from %s to %s", best.Test, outcome, before, pool(of))})
	}
	return err
}

// pool writes down how likely each world is.
func pool(of *session.Session) string {
	var parts []string
	for _, w := range of.Beliefs().Worlds {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", w.ID, 100*w.Pooled))
	}
	return strings.Join(parts, ", ")
}

// run types the command that does a test, and keeps what it says as evidence.
func (d *director) run(ctx context.Context, thread, test string, words ...string) error {
	args := append([]string{"result", "run", thread, test, "--"}, words...)
	d.tell(Moment{Note: "brenner " + strings.Join(args, " ")})
	if out, err := d.brenner(ctx, mail.Operator, args...).CombinedOutput(); err != nil {
		return protocol.Errorf(protocol.Internal, "brenner result run: %s: %w", out, err)
	}
	return nil
}
