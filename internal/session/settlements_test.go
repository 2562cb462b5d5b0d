package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/session"
)

// TestFoldSettlesAsTheLogDoes: what the fold of a thread says about acknowledgements is what a walk over all of its
// messages says, from every author and process.
func TestFoldSettlesAsTheLogDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		b.start()
		other := mail.NewService(b.mail.Store(), b.mail.Project(), mail.Options{Now: func() time.Time { return b.now }})
		agents := []string{"BlueLake", "RedSky", "Operator"}
		last := int64(2)
		for range rapid.IntRange(1, 12).Draw(rt, "messages") {
			act := rapid.SampledFrom([]struct{ subject, body string }{
				{"KICKOFF: go on", kickoff("")}, {"KICKOFF: next", kickoff("Round 2 Kickoff")},
				{"KICKOFF: back", kickoff("Round 1 Kickoff")},
				{"DELTA[gpt]: one", hypothesis("one", "it turns")}, {"DELTA[gpt]: none", "# D\n\n```delta\n{}\n```\n"},
				{"INFO: a note", "Read."}, {"QUESTION: who?", "# Q\n\n## Question\nWho?\n"},
			}).Draw(rt, "message")
			from := rapid.SampledFrom(agents).Draw(rt, "from")
			to := rapid.SliceOfNDistinct(rapid.SampledFrom(agents), 1, 2, rapid.ID).Draw(rt, "to")
			through := rapid.SampledFrom([]*mail.Service{b.mail, other}).Draw(rt, "process")
			b.now = b.now.Add(time.Minute)
			sent, err := through.Send(t.Context(), mail.Outgoing{Draft: message.Draft{
				ThreadID: thread, From: from, To: to, Subject: act.subject, Body: act.body, ReplyTo: rapid.Int64Range(0, last).
						Draw(rt, "reply"),
			}})
			if err != nil {
				continue // refused
			}
			last = sent.Message.ID
			if want, got := settled(t, other), settled(t, b.mail); want != got {
				rt.Fatalf("the fold says %s, the log %s", got, want)
			}
			b.owed()
		}
	})
}

func kickoff(title string) string {
	if title == "" {
		title = "S"
	}
	return "# " + title + "\n\n## Research Question\nWhy?\n\n## Context\nSome.\n\n## Excerpt\n> x (§1)\n"
}

func settled(t *testing.T, s *mail.Service) string {
	t.Helper()
	pending, err := s.Pending(t.Context(), mail.PendingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range pending {
		lines = append(lines, fmt.Sprintf("%d %s by %d", p.Message.ID, p.Agent, p.SettledBy))
	}
	return strings.Join(lines, "; ")
}

// TestListSaysWhatTheSessionSays: however many sessions an agent was called to, each verdict of the list is that of the
// session's own page.
func TestListSaysWhatTheSessionSays(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		if _, err := b.Start(t.Context(), session.StartRequest{
			From: "Operator", Question: "Why?", Context: "They do.", Excerpt: "> they turn (§3)",
			ThreadID: fmt.Sprintf("RS-20260110-cells-%d", i),
			Roster:   session.RosterRequest{Recipients: []string{"BlueLake"}},
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.mail.Acknowledge(t.Context(), "BlueLake", int64(i+1), ""); err != nil {
			t.Fatal(err)
		}
	}
	b.now = b.now.Add(3 * time.Hour)
	list, err := b.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 10 {
		t.Fatalf("%d sessions", len(list))
	}
	for _, s := range list {
		own, err := b.takeOf(s.ThreadID).States(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(own) != fmt.Sprint(s.Liveness) || s.Liveness[0].State != liveness.Silent {
			t.Errorf("%s: the list says %v, the session %v", s.ThreadID, s.Liveness, own)
		}
	}
}
