package session_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/session"
)

// agree compares what the overview remembers with a list made from scratch.
func (b *bench) agree(what string) {
	b.t.Helper()
	fresh, err := session.New(b.mail, nil, session.Settings{}).List(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	kept, err := b.Overview(b.t.Context(), session.OverviewQuery{})
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range kept.Sessions {
		kept.Sessions[i].Persistence = session.Persistence{}
	}
	for i := range fresh {
		fresh[i].Persistence = session.Persistence{}
	}
	if diff := cmp.Diff(fresh, kept.Sessions); diff != "" {
		b.t.Fatalf("%s: the overview is not the list:\n%s", what, diff)
	}
	owed, err := b.mail.Pending(b.t.Context(), mail.PendingQuery{})
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range owed {
		owed[i].Message.Body = ""
	}
	ledger, err := b.Unacknowledged(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	if diff := cmp.Diff(owed, ledger, cmpopts.EquateEmpty()); diff != "" {
		b.t.Fatalf("%s: the ledger is not what is owed:\n%s", what, diff)
	}
	next, err := session.New(b.mail, nil, session.Settings{}).Overview(b.t.Context(), session.OverviewQuery{})
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range next.Sessions {
		next.Sessions[i].Persistence = session.Persistence{}
	}
	if diff := cmp.Diff(fresh, next.Sessions); diff != "" {
		b.t.Fatalf("%s: the next process shows another overview:\n%s", what, diff)
	}
}

// TestOverviewKeepsUp: whatever happens, the overview shows what a fresh list would.
func TestOverviewKeepsUp(t *testing.T) {
	b := newBench(t)
	b.agree("nothing there")
	b.start()
	b.agree("after the start")
	inbox, err := b.mail.Inbox(t.Context(), mail.InboxQuery{Agent: "BlueLake"})
	if err != nil || len(inbox) == 0 {
		t.Fatalf("%v, %v", inbox, err)
	}
	if _, err := b.mail.MarkRead(t.Context(), "BlueLake", inbox[0].Message.ID); err != nil {
		t.Fatal(err)
	}
	b.agree("after reading")
	b.now = b.now.Add(time.Hour)
	b.agree("after the deadline")
	o, err := b.Overview(t.Context(), session.OverviewQuery{})
	if err != nil || len(o.Sessions) != 1 || !o.Sessions[0].Acks.Pending[0].Overdue {
		t.Fatalf("nothing is overdue: %+v, %v", o, err)
	}
	b.send("BlueLake", "ACK: kickoff", "# Acknowledgement\n\n## Status\n\nReceived\n", inbox[0].Message.ID)
	b.agree("after an acknowledgement")
	b.send("BlueLake", "DELTA[gpt]: a hypothesis", hypothesis("Turn", "They turn"), 0)
	b.agree("after a delta")
	b.compile()
	b.agree("after compiling")
	if _, err := b.mail.Send(t.Context(),
		mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "Lunch", Body: "Now?"}}); err != nil {
		t.Fatal(err)
	}
	b.agree("after mail without a thread")
	gone, leave := context.WithCancel(t.Context())
	leave()
	b.send("BlueLake", "INFO: still here", "Yes.", 0)
	_, _ = b.Overview(gone, session.OverviewQuery{}) // whether it notices or not
	b.agree("after a visitor who left")
	for i := range 30 {
		b.now = b.now.Add(time.Minute)
		if _, err := b.Start(t.Context(), session.StartRequest{
			From: mail.Operator, Question: fmt.Sprintf("Question %d about worms?", i), Context: "They do.",
			ThreadID: fmt.Sprintf("RS-20260110-worms-%d", i),
			Roster:   session.RosterRequest{Recipients: []string{"RedFox"}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	b.agree("after many starts")
	b.agree("after the cards were saved")
	b.send("BlueLake", "INFO: once more", "Yes.", 0)
	b.agree("after a message that the saved cards lack")
}

// TestOverviewPages: pages, phases and texts select.
func TestOverviewPages(t *testing.T) {
	b := newBench(t)
	b.start()
	for i := range 7 {
		b.now = b.now.Add(time.Minute)
		if _, err := b.Start(t.Context(), session.StartRequest{
			From: mail.Operator, Question: "Why do worms turn?", Context: "They do.", ThreadID: fmt.Sprintf("RS-20260110-worms-%d", i),
			Roster: session.RosterRequest{Recipients: []string{"RedFox"}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		q                       session.OverviewQuery
		shown, matching, phases int
	}{
		{session.OverviewQuery{}, 8, 8, 8},
		{session.OverviewQuery{Limit: 3}, 3, 8, 8},
		{session.OverviewQuery{Limit: 3, Offset: 6}, 2, 8, 8},
		{session.OverviewQuery{Limit: 3, Offset: 99}, 0, 8, 8},
		{session.OverviewQuery{Text: "WORMS turn"}, 7, 7, 7},
		{session.OverviewQuery{Text: "redfox", Limit: 2}, 0, 0, 0},
		{session.OverviewQuery{Phase: fold.PhaseCompiled}, 0, 0, 8},
	} {
		o, err := b.Overview(t.Context(), test.q)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Sessions) != test.shown || o.Matching != test.matching || o.Total != 8 || o.Phases[fold.PhaseKickoff] != test.phases {
			t.Errorf("%+v: %d shown, %d matching, %v", test.q, len(o.Sessions), o.Matching, o.Phases)
		}
	}
}

// TestOverviewMeasuresFiles: what becomes of the artifact's file shows without any event.
func TestOverviewMeasuresFiles(t *testing.T) {
	b := newBench(t)
	b.repository()
	b.start()
	b.send("BlueLake", "DELTA[gpt]: a hypothesis", hypothesis("Turn", "They turn"), 0)
	b.compile()
	state := func(want session.PersistState) session.Persistence {
		t.Helper()
		o, err := b.Overview(t.Context(), session.OverviewQuery{})
		if err != nil || o.Sessions[0].Persistence.State != want {
			t.Fatalf("%+v, %v; want %s", o.Sessions, err, want)
		}
		return o.Sessions[0].Persistence
	}
	state(session.Draft)
	p, err := b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator"})
	if err != nil {
		t.Fatal(err)
	}
	state(session.Pending)
	b.git("add", p.Path)
	b.git("commit", "--quiet", "-m", "by hand")
	if commit := state(session.Persisted).Commit; commit == nil || *commit != b.git("rev-parse", "HEAD") {
		t.Errorf("commit %v", commit)
	}
	if err := os.WriteFile(filepath.Join(b.dir, filepath.FromSlash(p.Path)), []byte("edited"), 0o644); err != nil {
		t.Fatal(err)
	}
	state(session.Draft)
}

// TestNews: a thread's place moves with the thread, the project's with everything.
func TestNews(t *testing.T) {
	b := newBench(t)
	b.start()
	before, err := b.Revision(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Start(t.Context(), session.StartRequest{
		From: mail.Operator, Question: "Why do worms turn?", Context: "They do.", ThreadID: "RS-20260110-worms",
		Roster: session.RosterRequest{Recipients: []string{"RedFox"}},
	}); err != nil {
		t.Fatal(err)
	}
	after, err := b.Revision(t.Context(), thread)
	if err != nil || after.Cursor <= before.Cursor || after.Thread != before.Thread {
		t.Errorf("%+v, then %+v, %v", before, after, err)
	}
	if other, err := b.Revision(t.Context(), "RS-20260110-worms"); err != nil || other.Thread != after.Cursor {
		t.Errorf("the other thread: %+v, %v", other, err)
	}
}
