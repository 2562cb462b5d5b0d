package mailtest

import (
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func deliveryStates(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	id := f.append(f.asking("COORD-a1", "RedSky"))[0].ID
	second := f.append(f.asking("COORD-a1", "RedSky"))[0].ID
	at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	mark := func(state mail.State, minutes int) mail.Delivery {
		marked, err := f.store.Mark(f.ctx, mail.Mark{Project: f.project, Agent: "REDSKY", Messages: []int64{id}, State: state,
			At: at(minutes)})
		f.must(err)
		f.same("the delivery as read", f.deliveries(mail.DeliveryQuery{Messages: []int64{id}}), marked)
		return marked[0]
	}
	want := mail.Delivery{Message: id, Agent: "RedSky", Kind: mail.To, DeliveredAt: at(1)}
	f.same("delivered", mark(mail.Delivered, 1), want)
	f.same("delivered again", mark(mail.Delivered, 2), want)
	want.ReadAt, want.AckAt = at(3), at(3)
	f.same("acknowledged", mark(mail.Acknowledged, 3), want)
	f.same("acknowledged again", mark(mail.Acknowledged, 4), want)
	f.same("read afterwards", mark(mail.Read, 5), want)

	f.same("what is owed", receivedIDs(f.inbox(mail.InboxQuery{Agent: "RedSky", Owed: true})), []int64{second})
	f.append(f.entryFrom("RedSky", "BlueLake")) // 3
	_, err := f.store.Mark(f.ctx, mail.Mark{Project: f.project, Agent: "RedSky", Messages: []int64{second, 3}, State: mail.Read, At: start})
	f.wantCode(err, protocol.NotFound)
	_, err = f.store.Mark(f.ctx, mail.Mark{Project: f.project, Agent: "RedSky", Messages: []int64{second, 99}, State: mail.Read, At: start})
	f.wantCode(err, protocol.NotFound)
	_, err = f.store.Mark(f.ctx, mail.Mark{Project: f.project, Agent: "Nobody", Messages: []int64{second}, State: mail.Read, At: start})
	f.wantCode(err, protocol.UnknownAgent)
	f.same("after refusals", deliveryLines(f.deliveries(mail.DeliveryQuery{Messages: []int64{second}})), []string{"2 RedSky to sent"})
	f.same("several at once", deliveryLines(f.mark("RedSky", mail.Read, second, id)),
		[]string{"2 RedSky to read", "1 RedSky to acknowledged"})
}

func deliveryQueries(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	e := f.asking("COORD-a1", "RedSky", "GreenHill", "redsky")
	e.Message.Cc, e.Message.Bcc = []string{"BlueLake", "GREENHILL"}, []string{"RedSky"}
	f.append(e)                                           // 1
	f.send("COORD-a1", 1)                                 // 2
	f.append(f.asking("COORD-b2", "GreenHill", "RedSky")) // 3
	bcc := f.asking("COORD-b2", "GreenHill")
	bcc.Message.To, bcc.Message.Bcc = nil, []string{"GreenHill"}
	f.append(bcc) // 4
	f.mark("GreenHill", mail.Acknowledged, 1)
	lines := func(q mail.DeliveryQuery) []string { return deliveryLines(f.deliveries(q)) }
	f.same("of a message", lines(mail.DeliveryQuery{Messages: []int64{1}}), []string{
		"1 RedSky to sent", "1 GreenHill to acknowledged", "1 BlueLake cc sent",
	})
	f.same("of a thread", lines(mail.DeliveryQuery{Thread: "COORD-b2"}), []string{
		"3 GreenHill to sent", "3 RedSky to sent", "4 GreenHill bcc sent",
	})
	f.same("of an agent", lines(mail.DeliveryQuery{Agent: "greenhill"}), []string{
		"1 GreenHill to acknowledged", "3 GreenHill to sent", "4 GreenHill bcc sent",
	})
	f.same("of an agent in some messages", lines(mail.DeliveryQuery{Agent: "RedSky", Messages: []int64{3, 2, 99}}), []string{
		"2 RedSky to sent", "3 RedSky to sent",
	})
	f.same("owed", lines(mail.DeliveryQuery{Owed: true}), []string{
		"1 RedSky to sent", "1 BlueLake cc sent", "3 GreenHill to sent", "3 RedSky to sent",
	})
	f.same("owed on a thread", lines(mail.DeliveryQuery{Owed: true, Thread: "COORD-a1"}),
		[]string{"1 RedSky to sent", "1 BlueLake cc sent"})
	f.same("owed by an agent", lines(mail.DeliveryQuery{Owed: true, Agent: "RedSky"}), []string{"1 RedSky to sent", "3 RedSky to sent"})
	f.same("owed for a message", lines(mail.DeliveryQuery{Owed: true, Messages: []int64{3}}),
		[]string{"3 GreenHill to sent", "3 RedSky to sent"})
	f.same("of none", lines(mail.DeliveryQuery{Messages: []int64{}}), []string{})
}

func ackWithMessage(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	asked := f.append(f.asking("COORD-a1", "RedSky", "GreenHill"))[0]
	ack := f.entryFrom("RedSky", "BlueLake")
	ack.Type = protocol.TypeAck
	ack.Acks = []mail.Ack{{Message: asked.ID, Agent: "redsky"}, {Message: 99, Agent: "RedSky"}, {Message: asked.ID, Agent: "Nobody"},
		{Message: asked.ID, Agent: "BlueLake"}}
	m := f.append(ack)[0]
	d := f.deliveries(mail.DeliveryQuery{Messages: []int64{asked.ID}})
	f.same("deliveries", deliveryLines(d), []string{"1 RedSky to acknowledged", "1 GreenHill to sent"})
	f.same("the time", d[0].AckAt, m.CreatedAt)
	f.append(ack)
	f.same("the time after another ACK", f.deliveries(mail.DeliveryQuery{Messages: []int64{asked.ID}})[0].AckAt, m.CreatedAt)
	f.same("who owes", deliveryLines(f.deliveries(mail.DeliveryQuery{Owed: true})), []string{"1 GreenHill to sent"})

	// In one call: a message and its own acknowledgement.
	both := f.asking("COORD-b2", "GreenHill")
	self := f.entryFrom("GreenHill", "BlueLake")
	last := f.messages(mail.MessageQuery{Order: mail.NewestFirst, Limit: 1})[0].ID
	self.Acks = []mail.Ack{{Message: last + 1, Agent: "GreenHill"}}
	f.append(both, self)
	f.same("who owes now", deliveryLines(f.deliveries(mail.DeliveryQuery{Owed: true})), []string{"1 GreenHill to sent"})
}
