package session_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/session"
)

// TestListFollowsOtherProcesses: a list that follows events is what a process sees that has just begun, however many threads
// others wrote to in between.
func TestListFollowsOtherProcesses(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		clock := func() time.Time { return b.now }
		other := mail.NewService(b.mail.Store(), b.mail.Project(), mail.Options{Now: clock})
		if err := other.EnsureAgents(t.Context(), "Operator", "BlueLake"); err != nil {
			rt.Fatal(err)
		}
		if _, err := b.Revision(t.Context(), ""); err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
			for range rapid.IntRange(0, 12).Draw(rt, "messages") {
				b.now = b.now.Add(time.Second)
				id := fmt.Sprintf("RS-20260110-cells-%d", rapid.IntRange(0, 11).Draw(rt, "thread"))
				d := message.Draft{ThreadID: id, From: "Operator", To: []string{"BlueLake"}, Subject: "KICKOFF: begin", Body: kickoff("")}
				if _, err := other.Send(t.Context(), mail.Outgoing{Draft: d}); err != nil {
					rt.Fatal(err)
				}
			}
			b.now = b.now.Add(time.Duration(rapid.IntRange(0, 40).Draw(rt, "seconds")) * time.Second)
			want, got := listed(rt, session.New(other, nil, session.Settings{})), listed(rt, b.Sessions)
			if want != got {
				rt.Fatalf("the list is %s, want %s", got, want)
			}
		}
	})
}

func listed(t *rapid.T, s *session.Sessions) string {
	list, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, one := range list {
		text += fmt.Sprintf("%s %d %s; ", one.ThreadID, one.Messages, one.UpdatedAt)
	}
	return text
}
