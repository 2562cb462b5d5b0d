package session_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func (b *bench) timeline(q session.TimelineQuery) session.Timeline {
	b.t.Helper()
	page, err := b.take().Timeline(b.t.Context(), q)
	if err != nil {
		b.t.Fatal(err)
	}
	return page
}

func ids(page session.Timeline) []int64 {
	list := make([]int64, len(page.Entries))
	for i := range page.Entries {
		list[i] = page.Entries[i].ID
	}
	return list
}

// TestTimelinePages: pages meet without a gap in either direction, and say truly whether there
// is more.
func TestTimelinePages(t *testing.T) {
	b := newBench(t)
	b.start()
	for i := range 20 {
		b.send("BlueLake", fmt.Sprintf("INFO: note %d", i), "# Note\n\nText.\n", 0)
	}
	all := ids(b.timeline(session.TimelineQuery{Limit: 100}))
	if len(all) != 22 || all[0] != 22 || all[21] != 1 {
		t.Fatalf("the whole thread is %v", all)
	}
	for _, size := range []int{1, 4, 22} {
		page := b.timeline(session.TimelineQuery{Limit: size})
		got := ids(page)
		for page.Older {
			page = b.timeline(session.TimelineQuery{Limit: size, Before: got[len(got)-1]})
			if !page.Newer {
				t.Error("an older page does not know that there are newer ones")
			}
			got = append(got, ids(page)...)
		}
		if fmt.Sprint(got) != fmt.Sprint(all) {
			t.Errorf("pages of %d: %v", size, got)
		}
	}
	back := b.timeline(session.TimelineQuery{Limit: 5, After: 3})
	if fmt.Sprint(ids(back)) != "[8 7 6 5 4]" || !back.Older || !back.Newer {
		t.Errorf("after 3: %v, %v, %v", ids(back), back.Older, back.Newer)
	}
	around := b.timeline(session.TimelineQuery{Limit: 6, At: 10})
	if fmt.Sprint(ids(around)) != "[13 12 11 10 9 8]" || !around.Older || !around.Newer {
		t.Errorf("around 10: %v", ids(around))
	}
	if first := b.timeline(session.TimelineQuery{Limit: 6, At: 1}); first.Older || len(first.Entries) != 4 {
		t.Errorf("around 1: %v, older %v", ids(first), first.Older)
	}
	only := b.timeline(session.TimelineQuery{Limit: 6, Type: protocol.TypeKickoff})
	if fmt.Sprint(ids(only)) != "[2 1]" || only.Older {
		t.Errorf("KICKOFF alone: %v", ids(only))
	}
	if _, err := b.Session(t.Context(), "RS-20260110-not-there"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("a thread that is not there: %v", err)
	}
}

// TestTimelineReceipts: what the merge said about a block stays the same whether its window is open,
// was closed by a compile, or has to be folded again.
func TestTimelineReceipts(t *testing.T) {
	b := newBench(t)
	b.start()
	good := b.send("BlueLake", "DELTA[gpt]: One", hypothesis("Memory", "Cells remember."), 0).Message.ID
	late := b.send("BlueLake", "DELTA[gpt]: Two", edit("H7", "claim", "No such item."), 0).Message.ID
	check := func(when string) {
		t.Helper()
		for _, e := range b.timeline(session.TimelineQuery{Limit: 50}).Entries {
			switch e.ID {
			case good:
				if e.Receipt == nil || e.Receipt.Accepted != 1 || e.Receipt.Blocks[0].ItemID != "H1" {
					t.Errorf("%s: receipt %+v", when, e.Receipt)
				}
			case late:
				if e.Receipt == nil || e.Receipt.Rejected != 1 || e.Receipt.Blocks[0].Status != delta.Rejected ||
					e.Receipt.Blocks[0].Findings[0].Code != protocol.InvalidTarget {
					t.Errorf("%s: receipt %+v", when, e.Receipt)
				}
			}
		}
		m, err := b.mail.Message(t.Context(), late)
		if err != nil {
			t.Fatal(err)
		}
		one, err := b.Entry(t.Context(), b.take().View, m)
		if err != nil || one.Receipt == nil || one.Receipt.Rejected != 1 || len(one.Deliveries) != 1 {
			t.Errorf("%s: the message alone: %+v, %v", when, one, err)
		}
	}
	check("open")
	b.compile()
	check("closed")
	b.send("BlueLake", "DELTA[gpt]: Three", hypothesis("Gradient", "Cells follow."), 0)
	b.compile()
	check("two versions later")
	if err := b.mail.Store().Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("folded again")
}

// TestDetail: a session with everything that waits for a person.
func TestDetail(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: One", hypothesis("Memory", "Cells remember."), 0)
	b.compile()
	critique := b.send("RedSky", "CRITIQUE: H1 forgets",
		"# Critique: H1 forgets\n\n## Target\n\n**Item**: H1\n\n## Attack\n\nNo.\n\n## Evidence\n\n§1\n\n## Severity\n\nMajor\n", 0)
	b.send("BlueLake", "DELTA[gpt]: Two", edit("H7", "claim", "No such item."), 0)
	if _, err := b.mail.MarkRead(t.Context(), "BlueLake", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := b.mail.Acknowledge(t.Context(), "RedSky", 2, ""); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(29 * time.Minute)
	d, err := b.take().Detail(t.Context(), session.TimelineQuery{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !d.Enforced || d.Phase != fold.PhaseCritique || d.Question != "Why do cells turn?" || d.Pending.Rejected != 1 ||
		len(d.Rejected) != 1 {
		t.Errorf("detail %+v", d)
	}
	if l := d.Latest; l == nil || l.Version != 1 || l.Stats.Hypotheses != 1 || l.Hash == "" || l.Persistence.State != session.Draft ||
		l.Validation.Errors == 0 {
		t.Errorf("latest %+v", d.Latest)
	}
	if len(d.Members) != 3 || d.Members[0].Agent != "BlueLake" || d.Members[0].Deltas != 1 || d.Members[2].Rostered {
		t.Errorf("members %+v", d.Members)
	}
	if len(d.Critiques) != 1 || d.Critiques[0].MessageID != critique.Message.ID {
		t.Errorf("critiques %+v", d.Critiques)
	}
	if len(d.Timeline.Entries) != 3 || !d.Timeline.Older {
		t.Errorf("timeline %v", ids(d.Timeline))
	}
	var rows []string
	for _, r := range d.AckBoard.Rows {
		rows = append(rows, fmt.Sprintf("%d %s %s owed=%v overdue=%v", r.MessageID, r.Agent, r.State(), r.Owed, r.Overdue))
		if r.SettledBy != 0 {
			rows[len(rows)-1] += fmt.Sprintf(" settled by %d", r.SettledBy)
		}
	}
	want := []string{fmt.Sprintf("%d Operator sent owed=true overdue=false", critique.Message.ID),
		"1 BlueLake read owed=true overdue=false settled by 3", "2 RedSky acknowledged owed=false overdue=false"}
	if fmt.Sprint(rows) != fmt.Sprint(want) || d.AckBoard.Owed != 2 || d.AckBoard.Overdue != 0 || d.AckBoard.Messages != 3 {
		t.Errorf("acks %q, %+v", rows, d.AckBoard)
	}
	if _, err := b.Session(t.Context(), "RS-20260110-not-there"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("a thread that is not there: %v", err)
	}
}

// TestDetailForMany: many look at once while an agent writes; all see a thread that holds together.
func TestDetailForMany(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: One", hypothesis("Memory", "Cells remember.")+hypothesis("Gradient", "Cells follow."), 0)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				d, err := b.take().Detail(t.Context(), session.TimelineQuery{Limit: 5})
				if err != nil || d.Messages < 3 || d.Pending.Applied != 2 && d.Latest == nil {
					t.Errorf("detail %+v, %v", d, err)
					return
				}
			}
		})
	}
	if _, err := b.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator"}); err != nil {
		t.Error(err)
	}
	group.Wait()
	if d, err := b.take().Detail(t.Context(), session.TimelineQuery{Limit: 5}); err != nil || d.Latest == nil || d.Messages != 4 {
		t.Errorf("afterwards %+v, %v", d.Latest, err)
	}
}

// TestUnacknowledged: what is owed is known without asking again, and what changes is noticed.
func TestUnacknowledged(t *testing.T) {
	b := newBench(t)
	b.start()
	owed := func() (n, late int) {
		t.Helper()
		list, err := b.Unacknowledged(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if p.Overdue {
				late++
			}
		}
		return len(list), late
	}
	if n, late := owed(); n != 2 || late != 0 {
		t.Errorf("%d owed, %d overdue", n, late)
	}
	b.now = b.now.Add(time.Hour)
	if n, late := owed(); n != 2 || late != 2 {
		t.Errorf("an hour later: %d owed, %d overdue", n, late)
	}
	if _, err := b.mail.Acknowledge(t.Context(), "RedSky", 2, ""); err != nil {
		t.Fatal(err)
	}
	if n, late := owed(); n != 1 || late != 1 {
		t.Errorf("after one: %d owed, %d overdue", n, late)
	}
}
