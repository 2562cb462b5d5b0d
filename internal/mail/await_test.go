package mail_test

import (
	"context"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
)

// impatient ends a context after the first look for new mail.
type impatient struct {
	mail.Store
	end context.CancelFunc
}

func (s impatient) Inbox(ctx context.Context, q mail.InboxQuery) ([]mail.Received, error) {
	if q.Fresh {
		defer s.end()
	}
	return s.Store.Inbox(ctx, q)
}

// TestAwaitLosesNothing: mail that is marked as delivered is returned, however short the patience and whenever the
// context ends.
func TestAwaitLosesNothing(t *testing.T) {
	o := newOffice(t, mail.Options{})
	q := mail.InboxQuery{Agent: "RedSky", Limit: 10}
	none, err := o.Await(o.ctx(), q, time.Millisecond)
	o.must(err)
	o.same("mail before any was sent", len(none.Mail), 0)

	o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: one", Body: "x"}})
	found, err := o.Await(o.ctx(), q, 1)
	o.must(err)
	o.same("mail that was there", len(found.Mail), 1)

	o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: two", Body: "x"}})
	ctx, end := context.WithCancel(o.ctx())
	p, err := o.store.EnsureProject(o.ctx(), "/srv/lab", o.now)
	o.must(err)
	o.now = o.now.Add(time.Second)
	hasty := mail.NewService(impatient{o.store, end}, p, mail.Options{Now: func() time.Time { return o.now }})
	found, err = hasty.Await(ctx, q, 0)
	o.must(err)
	o.same("mail that was marked when the context ended", len(found.Mail), 1)
	again, err := o.Await(o.ctx(), q, time.Millisecond)
	o.must(err)
	o.same("mail that is new after all", len(again.Mail), 0)
}

// TestTaken: of two waiters for one agent one gets the mail, and the other is told at once which mail that was.
func TestTaken(t *testing.T) {
	o := newOffice(t, mail.Options{})
	p, err := o.store.EnsureProject(o.ctx(), "/srv/lab", o.now)
	o.must(err)
	node := mail.NewService(o.store, p, mail.Options{Now: time.Now}) // another node: nothing is shared but the store
	o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: had before", Body: "x"}})
	had, err := o.Await(o.ctx(), mail.InboxQuery{Agent: "RedSky", Limit: 10}, time.Second)
	o.must(err)
	o.same("mail of an earlier wait", len(had.Mail), 1)

	ends := make(chan mail.Waited, 2)
	for _, s := range []*mail.Service{o.Service, node} {
		go func() {
			w, err := s.Await(o.ctx(), mail.InboxQuery{Agent: "RedSky", Limit: 10}, time.Minute)
			if err != nil {
				t.Error(err)
			}
			ends <- w
		}()
	}
	time.Sleep(50 * time.Millisecond) // a waiter that comes later would rightly wait on
	began := time.Now()
	sent := o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: new", Body: "x"}})
	one, two := <-ends, <-ends
	if len(one.Mail) == 0 {
		one, two = two, one
	}
	o.same("mail of the quicker", len(one.Mail), 1)
	o.same("mail of the other", len(two.Mail), 0)
	o.same("what the other is told", two.Taken, []int64{sent.Message.ID})
	if waited := time.Since(began); waited > 30*time.Second {
		t.Errorf("the other waited out its time: %s", waited)
	}
}
