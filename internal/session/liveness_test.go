package session_test

import (
	"context"
	"testing"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// verdict asks about an agent.
func (b *bench) verdict(agent string, want liveness.State) liveness.Verdict {
	b.t.Helper()
	v, err := b.Why(b.t.Context(), agent)
	if err != nil || v.State != want {
		b.t.Fatalf("%s: %v, %s: %s %+v; want %s", agent, err, v.State, v.Reason, v.Evidence, want)
	}
	return v
}

// TestLivenessOfASession follows agents through a round: what they owe, and when that ends.
func TestLivenessOfASession(t *testing.T) {
	b := newBench(t)
	started := b.start()
	kickoff := *started.Messages[0].ID
	b.verdict("BlueLake", liveness.Unknown)
	b.now = b.now.Add(31 * time.Minute)
	b.verdict("BlueLake", liveness.Silent) // owes an acknowledgement
	if _, err := b.mail.Acknowledge(t.Context(), "BlueLake", kickoff, ""); err != nil {
		t.Fatal(err)
	}
	b.verdict("BlueLake", liveness.Working) // in time again
	b.now = b.now.Add(31 * time.Minute)
	if v := b.verdict("BlueLake", liveness.Silent); v.Evidence[0].Fact != "owed" { // owes a contribution
		t.Errorf("%+v", v)
	}
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque"), 0)
	b.verdict("BlueLake", liveness.Working)
	b.now = b.now.Add(10 * time.Minute)
	b.verdict("BlueLake", liveness.Idle)
	b.now = b.now.Add(time.Hour)
	b.verdict("BlueLake", liveness.Unknown)
	b.verdict("RedSky", liveness.Silent)

	states, err := b.take().States(t.Context())
	if err != nil || len(states) != 2 || states[1].Name != "RedSky" || *states[1].Role != string(protocol.RoleAdversarialCritic) ||
		states[1].State != liveness.Silent {
		t.Errorf("%v %+v", err, states)
	}
	all, err := b.Liveness(t.Context())
	if err != nil || len(all) != 2 { // without the operator
		t.Errorf("%v %+v", err, all)
	}
	_, err = b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Force: "enough"})
	if err != nil {
		t.Fatal(err)
	}
	b.verdict("RedSky", liveness.Unknown) // it is not waited for any more
	if _, err := b.Why(t.Context(), "Nobody"); protocol.CodeOf(err) != protocol.UnknownAgent {
		t.Errorf("an unknown agent: %v", err)
	}
	if _, err := b.Session(t.Context(), "RS-20260110-no-such-thread"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("an unknown thread: %v", err)
	}
}

// TestProbing: only programs of this machine are looked at, and panes only where the process
// cannot be.
func TestProbing(t *testing.T) {
	b := newBench(t)
	b.start()
	asked := map[string]int{}
	probe := session.Probe{
		Host: "lab",
		Process: func(_ context.Context, pid int, started time.Time) (alive, known bool) {
			asked["process"]++
			if started.IsZero() {
				t.Error("the start time is missing")
			}
			return pid == 1, pid != 3
		},
		Pane: func(_ context.Context, pane string) (alive, known bool) {
			asked[pane]++
			return false, true
		},
	}
	b.Sessions = session.New(b.mail, nil, session.Settings{Probe: probe})
	note := func(p mail.Presence) {
		t.Helper()
		p.ProcessStarted = b.now
		if err := b.mail.NotePresence(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	note(mail.Presence{Agent: "BlueLake", Source: mail.SourceCockpit, Host: "far", PID: 2, Pane: "%9"})
	if _, err := b.mail.Acknowledge(t.Context(), "BlueLake", 1, ""); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(8 * 24 * time.Hour) // longer than a call to a round is remembered
	b.verdict("BlueLake", liveness.Unknown)
	if len(asked) > 0 {
		t.Errorf("asked about another machine: %v", asked)
	}
	note(mail.Presence{Agent: "BlueLake", Source: mail.SourceCockpit, Host: "lab", PID: 1, Pane: "%1"})
	b.now = b.now.Add(10 * time.Minute)
	b.verdict("BlueLake", liveness.Idle)
	if asked["%1"] > 0 {
		t.Error("the pane was asked though the process is known")
	}
	note(mail.Presence{Agent: "RedSky", Source: mail.SourceCockpit, Host: "lab", PID: 3, Pane: "%3"})
	b.verdict("RedSky", liveness.Dead)
	if asked["%3"] != 1 {
		t.Errorf("asked %v", asked)
	}
}

// TestWhatIsNoSign: what others do for an agent does not make it alive.
func TestWhatIsNoSign(t *testing.T) {
	b := newBench(t)
	if err := b.mail.EnsureAgents(t.Context(), "BlueLake", "RedSky"); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(time.Hour)
	b.start() // brings their programs up to date
	b.verdict("BlueLake", liveness.Unknown)
	b.now = b.now.Add(time.Second)
	if _, err := b.mail.Fetch(t.Context(), mail.InboxQuery{Agent: "BlueLake"}); err != nil { // another looks into its inbox
		t.Fatal(err)
	}
	b.verdict("BlueLake", liveness.Unknown)
}

// TestAcknowledgedIsNotDelivered: who only acknowledged is overdue for days, not idle.
func TestAcknowledgedIsNotDelivered(t *testing.T) {
	b := newBench(t)
	if _, err := b.mail.Acknowledge(t.Context(), "BlueLake", *b.start().Messages[0].ID, ""); err != nil {
		t.Fatal(err)
	}
	ended, zero := b.now.Add(time.Minute), 0
	if err := b.mail.NotePresence(t.Context(), mail.Presence{
		Agent: "BlueLake", Source: mail.SourceRun, Host: "far", PID: 7, ProcessStarted: b.now, EndedAt: ended, ExitCode: &zero,
		Thread: thread,
	}); err != nil {
		t.Fatal(err)
	}
	for _, later := range []time.Duration{10 * time.Minute, time.Hour, 50 * time.Hour} {
		b.now = ended.Add(later)
		b.verdict("BlueLake", liveness.Silent)
	}
}

// TestVerdictsOfASession: on the page of a session counts what concerns that session, and a complete one
// asks nothing of its agents.
func TestVerdictsOfASession(t *testing.T) {
	b := newBench(t)
	b.start()
	const other = "RS-20260110-other-cells"
	if _, err := b.Start(t.Context(), session.StartRequest{
		From: "Operator", Question: "Why not?", Context: "Well.", ThreadID: other,
		Roster: session.RosterRequest{Recipients: []string{"BlueLake"}},
	}); err != nil {
		t.Fatal(err)
	}
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque"), 0)
	states := func(id string, want liveness.State) {
		t.Helper()
		listed, err := b.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		alone, err := b.takeOf(id).Status(t.Context())
		if err != nil || len(alone.Liveness) == 0 || alone.Liveness[0].State != want {
			t.Errorf("%s: %v %+v, want %s", id, err, alone.Liveness, want)
		}
		for _, st := range listed {
			if st.ThreadID == id && st.Liveness[0] != alone.Liveness[0] && st.Liveness[0].State != want {
				t.Errorf("%s in the list: %+v", id, st.Liveness)
			}
		}
	}
	states(thread, liveness.Working)
	states(other, liveness.Unknown)
	b.now = b.now.Add(2 * time.Hour)
	states(other, liveness.Silent)
	states(thread, liveness.Unknown)
	if _, err := b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Force: "enough"}); err != nil {
		t.Fatal(err)
	}
	states(thread, liveness.Idle)
	states(other, liveness.Silent)
}
