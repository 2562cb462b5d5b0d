package mailtest

import (
	"context"
	"testing"
	"time"

	"brenner/internal/mail"
)

// watched is a store that tells when somebody begins to wait.
type watched struct {
	mail.Store
	waits chan struct{}
}

// Wait implements mail.Feed.
func (w watched) Wait(ctx context.Context, project mail.ProjectID, after mail.Cursor) error {
	select {
	case w.waits <- struct{}{}:
	default:
	}
	return w.Store.Wait(ctx, project, after)
}

// twoWaiters wait for one agent, on two nodes where the engine has them: one gets the mail, and the other hears at once
// which mail that was. What was fetched before they began is not told.
func twoWaiters(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	nodes := []mail.Store{f.store, f.store}
	if other := f.again(); other != nil {
		nodes[1] = other.store
	}
	for round := range 3 {
		ends := make(chan mail.Waited, len(nodes))
		for _, store := range nodes {
			begun := make(chan struct{}, 1)
			s := mail.NewService(watched{store, begun}, mail.Project{ID: f.project}, mail.Options{})
			go func() {
				w, err := s.Await(f.ctx, mail.InboxQuery{Agent: "RedSky", Limit: 10}, 3*soon)
				if err != nil {
					t.Error(err)
				}
				ends <- w
			}()
			<-begun
		}
		began := time.Now()
		id := f.send("COORD-a1", 1)[0].ID
		one, two := <-ends, <-ends
		if len(one.Mail) == 0 {
			one, two = two, one
		}
		f.same("mail of the quicker", []int{len(one.Mail), len(one.Taken)}, []int{1, 0})
		f.same("mail of the other", len(two.Mail), 0)
		f.same("what the other is told", two.Taken, []int64{id})
		if took := time.Since(began); took > soon {
			t.Errorf("round %d: the other waited %s", round, took)
		}
	}
}
