package mailtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"brenner/internal/mail"
)

var events = []testCase{
	{"what makes events", whatMakesEvents},
	{"cursor and limit", cursorAndLimit},
	{"wait", waiting},
	{"wait for another store", waitingForOther},
	{"two waiters for one agent", twoWaiters},
	{"follow", following},
}

func eventLines(events []mail.Event) []string {
	lines := []string{}
	for _, e := range events {
		line := fmt.Sprintf("%s %d %s %s", e.Kind, e.Message, e.Thread, e.Agent)
		switch e.Kind {
		case mail.EventDelivery:
			line += " " + e.State.String()
		case mail.EventCompiled:
			line += fmt.Sprintf(" v%d", e.Version)
		}
		lines = append(lines, line)
	}
	return lines
}

func whatMakesEvents(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 1)
	f.append(compiledEntry(f, "COORD-a1", 1))
	f.append(f.entry("", "INFO: alone"))
	f.mark("redsky", mail.Delivered, 1)
	f.mark("RedSky", mail.Delivered, 1) // changes nothing
	f.mark("RedSky", mail.Acknowledged, 1, 2)
	ack := f.entryFrom("RedSky", "BlueLake")
	ack.Acks = []mail.Ack{{Message: 3, Agent: "RedSky"}, {Message: 1, Agent: "RedSky"}}
	f.append(ack)
	got := f.events(0)
	f.same("events", eventLines(got), []string{
		"message 1 COORD-a1 BlueLake",
		"message 2 COORD-a1 BlueLake",
		"compiled 2 COORD-a1 BlueLake v1",
		"message 3  BlueLake",
		"delivery 1 COORD-a1 RedSky delivered",
		"delivery 1 COORD-a1 RedSky acknowledged",
		"delivery 2 COORD-a1 RedSky acknowledged",
		"message 4 COORD-talk RedSky",
		"delivery 3  RedSky acknowledged",
	})
	for i, e := range got {
		if e.Project != f.project || e.At.IsZero() || i > 0 && e.Seq <= got[i-1].Seq {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	f.same("the time of a message", got[0].At, f.messages(mail.MessageQuery{IDs: []int64{1}})[0].CreatedAt)
	f.same("the time of a mark", got[4].At, start)
	status, err := f.store.Status(f.ctx)
	f.must(err)
	f.same("the cursor of the status", status.Cursor, got[len(got)-1].Seq)
}

func cursorAndLimit(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 10)
	all := f.events(0)
	var paged []mail.Event
	for after := mail.Cursor(0); ; {
		page, err := f.store.Events(f.ctx, mail.EventQuery{Project: f.project, After: after, Limit: 3})
		f.must(err)
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
		after = page[len(page)-1].Seq
	}
	f.same("events page by page", paged, all)
	f.same("events after the end", len(f.events(all[9].Seq+100)), 0)
}

// soon is how long a wake-up may take at most; the stores are far quicker.
const soon = 10 * time.Second

func (f *fixture) wait(after mail.Cursor) <-chan error {
	done := make(chan error, 1)
	ctx, cancel := context.WithTimeout(f.ctx, soon)
	go func() {
		defer cancel()
		done <- f.store.Wait(ctx, f.project, after)
	}()
	return done
}

func waiting(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 1)
	f.must(f.store.Wait(f.ctx, f.project, 0)) // there is one already
	last := f.events(0)[0].Seq
	waits := []<-chan error{f.wait(last), f.wait(last), f.wait(last)}
	p, err := f.store.EnsureProject(f.ctx, "/srv/other", start)
	f.must(err)
	other := *f
	other.project = p.ID
	other.register("BlueLake")
	other.register("RedSky")
	other.send("COORD-a1", 1) // of no interest to them
	select {
	case err := <-waits[0]:
		t.Fatalf("an event of another project ended the wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	f.mark("RedSky", mail.Read, 1)
	for _, w := range waits {
		f.must(<-w)
	}
	ctx, cancel := context.WithTimeout(f.ctx, 20*time.Millisecond)
	defer cancel()
	if err := f.store.Wait(ctx, f.project, f.events(0)[1].Seq); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a wait without events: %v", err)
	}
}

func waitingForOther(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	other := f.again()
	if other == nil {
		return
	}
	for i := range 3 {
		var last mail.Cursor
		if i > 0 {
			all := f.events(0)
			last = all[len(all)-1].Seq
		}
		done := f.wait(last)
		time.Sleep(20 * time.Millisecond) // let it wait
		other.send("COORD-a1", 1)
		f.must(<-done)
	}
}

// following reads along while others write: nothing is missed, nothing comes twice.
func following(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	s := mail.NewService(f.store, mail.Project{ID: f.project}, mail.Options{})
	ctx, cancel := context.WithTimeout(f.ctx, 6*soon)
	defer cancel()
	var got []mail.Event
	done := make(chan error, 1)
	go func() {
		for e, err := range s.Follow(ctx, 0) {
			if err != nil {
				done <- err
				return
			}
			if got = append(got, e); len(got) == senders*perSender {
				break
			}
		}
		done <- nil
	}()
	f.burst(f.store)
	f.must(<-done)
	f.same("events followed", got, f.events(0))
}
