package mail_test

import (
	"context"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
)

// impatient ends a context after the first look into an inbox.
type impatient struct {
	mail.Store
	end context.CancelFunc
}

func (s impatient) Inbox(ctx context.Context, q mail.InboxQuery) ([]mail.Received, error) {
	defer s.end()
	return s.Store.Inbox(ctx, q)
}

// TestAwaitLosesNothing: mail that is marked as delivered is returned, however short the patience and whenever the
// context ends.
func TestAwaitLosesNothing(t *testing.T) {
	o := newOffice(t, mail.Options{})
	q := mail.InboxQuery{Agent: "RedSky", Limit: 10}
	none, err := o.Await(o.ctx(), q, time.Millisecond)
	o.must(err)
	o.same("mail before any was sent", len(none), 0)

	o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: one", Body: "x"}})
	found, err := o.Await(o.ctx(), q, 1)
	o.must(err)
	o.same("mail that was there", len(found), 1)

	o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: two", Body: "x"}})
	ctx, end := context.WithCancel(o.ctx())
	p, err := o.store.EnsureProject(o.ctx(), "/srv/lab", o.now)
	o.must(err)
	o.now = o.now.Add(time.Second)
	hasty := mail.NewService(impatient{o.store, end}, p, mail.Options{Now: func() time.Time { return o.now }})
	found, err = hasty.Await(ctx, q, 0)
	o.must(err)
	o.same("mail that was marked when the context ended", len(found), 1)
	again, err := o.Await(o.ctx(), q, time.Millisecond)
	o.must(err)
	o.same("mail that is new after all", len(again), 0)
}
