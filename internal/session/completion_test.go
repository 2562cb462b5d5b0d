package session_test

import (
	"fmt"
	"testing"
	"time"

	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/session"
)

// owed writes what is owed, by the mail and by the ledger of pages, which must agree.
func (b *bench) owed() []string {
	b.t.Helper()
	pending, err := b.mail.Pending(b.t.Context(), mail.PendingQuery{})
	if err != nil {
		b.t.Fatal(err)
	}
	kept, err := b.Unacknowledged(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	lines := func(list []mail.PendingAck) (all []string) {
		for _, p := range list {
			all = append(all, fmt.Sprintf("%d %s settled by %d overdue %v", p.Message.ID, p.Agent, p.SettledBy, p.Overdue))
		}
		return all
	}
	if fmt.Sprint(lines(pending)) != fmt.Sprint(lines(kept)) {
		b.t.Errorf("the mail says %v, the ledger %v", lines(pending), lines(kept))
	}
	return lines(pending)
}

func (b *bench) wantOwed(want ...string) {
	b.t.Helper()
	if got := b.owed(); fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("owed %q, want %q", got, want)
	}
}

// TestWhoContributedOwesNothing: neither the mail nor a verdict holds a missing ACK against an agent that
// contributed, and none against any agent once the session is complete. A KICKOFF reopens it,
// a late delta does not.
func TestWhoContributedOwesNothing(t *testing.T) {
	b := newBench(t)
	b.start()
	b.wantOwed("1 BlueLake settled by 0 overdue false", "2 RedSky settled by 0 overdue false")
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("one", "it turns"), 0) // 3
	b.now = b.now.Add(time.Hour)
	b.wantOwed("1 BlueLake settled by 3 overdue false", "2 RedSky settled by 0 overdue true")
	states := map[string]liveness.State{}
	verdicts, err := b.take().Liveness(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		states[v.Agent] = v.State
	}
	if states["BlueLake"] == liveness.Silent || states["RedSky"] != liveness.Silent {
		t.Errorf("states %v", states)
	}
	done, err := b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Force: "enough"})
	if err != nil {
		t.Fatal(err)
	}
	v := b.take().View
	b.wantOwed("1 BlueLake settled by 3 overdue false", fmt.Sprintf("2 RedSky settled by %d overdue false", v.Completion))
	b.now = b.now.Add(24 * time.Hour)
	if run, err := b.mail.RunAcks(t.Context()); err != nil || len(run.Reminders)+len(run.Escalations) > 0 {
		t.Errorf("after v%d: %v %v", done.Version, run, err)
	}
	b.send("BlueLake", "DELTA[gpt]: late", hypothesis("late", "it waits"), 0)
	b.wantOwed("1 BlueLake settled by 3 overdue false", fmt.Sprintf("2 RedSky settled by %d overdue false", v.Completion))
	st := b.phase(fold.PhaseComplete)
	for _, p := range st.Acks.Pending {
		if p.Overdue || p.SettledBy == nil {
			t.Errorf("the status says %+v", p)
		}
	}
	b.send("Operator", "KICKOFF: again", "# Round 2 Kickoff\n\n## Research Question\nWhy?\n\n## Current State\nOpen.\n", 0)
	b.now = b.now.Add(time.Hour)
	if got := b.owed(); len(got) != 3 || got[2] != fmt.Sprintf("%d BlueLake settled by 0 overdue true", v.Head+2) {
		t.Errorf("after a KICKOFF %q", got)
	}
}
