package mailtest

import (
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

func messageQueries(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 3) // 1–3
	e := f.entry("COORD-b2", "DELTA[gpt]: x")
	e.Type, e.Message.From, e.Message.To = protocol.TypeDelta, "RedSky", []string{"BlueLake"}
	e.Key, e.Payload = "k4", canon.Hash{4}
	f.append(e)                                 // 4
	f.send("COORD-a1", 1)                       // 5
	f.append(f.imported("COORD-b2", 50, start)) // 6
	f.append(f.entry("", "INFO: alone"))        // 7
	at := f.messages(mail.MessageQuery{IDs: []int64{1}})[0].CreatedAt
	for _, c := range []struct {
		what string
		q    mail.MessageQuery
		want []int64
	}{
		{"all", mail.MessageQuery{}, []int64{1, 2, 3, 4, 5, 6, 7}},
		{"newest first", mail.MessageQuery{Order: mail.NewestFirst, Limit: 3}, []int64{7, 6, 5}},
		{"after", mail.MessageQuery{After: 5}, []int64{6, 7}},
		{"before", mail.MessageQuery{Before: 3}, []int64{1, 2}},
		{"thread", mail.MessageQuery{Thread: "COORD-a1"}, []int64{1, 2, 3, 5}},
		{"thread page", mail.MessageQuery{Thread: "COORD-a1", After: 1, Limit: 2}, []int64{2, 3}},
		{"thread page backward", mail.MessageQuery{Thread: "COORD-a1", Before: 5, Limit: 2, Order: mail.NewestFirst}, []int64{3, 2}},
		{"no such thread", mail.MessageQuery{Thread: "COORD-none"}, []int64{}},
		{"thread in another case", mail.MessageQuery{Thread: "coord-a1"}, []int64{}},
		{"ids", mail.MessageQuery{IDs: []int64{5, 2, 99, 2}}, []int64{2, 5}},
		{"no ids", mail.MessageQuery{IDs: []int64{}}, []int64{}},
		{"keys", mail.MessageQuery{Keys: []string{"k4", "k5"}}, []int64{4}},
		{"types", mail.MessageQuery{Types: []protocol.MessageType{protocol.TypeDelta, protocol.TypeAck}}, []int64{4}},
		{"from", mail.MessageQuery{From: "redsky"}, []int64{4}},
		{"from nobody", mail.MessageQuery{From: "Nobody"}, []int64{}},
		{"at", mail.MessageQuery{At: at}, []int64{1, 6}},
		{"together", mail.MessageQuery{Thread: "COORD-b2", From: "BlueLake", After: 1, Types: []protocol.MessageType{protocol.TypeInfo}},
			[]int64{6}},
	} {
		f.same(c.what, idsOf(f.messages(c.q)), c.want)
	}
}

func threadSummaries(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	kickoff := f.entry("RS-20260110-some-thread", "KICKOFF: begin")
	kickoff.Type = protocol.TypeKickoff
	first := f.append(kickoff)[0]
	f.send("COORD-a1", 2)
	compiled := f.entry("RS-20260110-some-thread", "COMPILED: v1 x")
	compiled.Type, compiled.Version, compiled.Gapless = protocol.TypeCompiled, 1, true
	last := f.append(compiled)[0]
	f.send("COORD-b2", 1)
	f.same("a summary", f.thread("RS-20260110-some-thread"), mail.Thread{
		Project: f.project, ID: "RS-20260110-some-thread", Messages: 2, FirstID: first.ID, FirstType: protocol.TypeKickoff,
		HeadID: last.ID, ChainHash: last.ChainHash, LatestVersion: 1, CreatedAt: first.CreatedAt, UpdatedAt: last.CreatedAt,
	})
	list := func(q mail.ThreadQuery) []string {
		q.Project = f.project
		threads, err := f.store.Threads(f.ctx, q)
		f.must(err)
		ids := []string{}
		for _, t := range threads {
			ids = append(ids, t.ID)
		}
		return ids
	}
	f.same("all", list(mail.ThreadQuery{}), []string{"COORD-b2", "RS-20260110-some-thread", "COORD-a1"})
	f.same("the first", list(mail.ThreadQuery{Limit: 1}), []string{"COORD-b2"})
	f.same("the next page", list(mail.ThreadQuery{Before: 5, Limit: 5}), []string{"RS-20260110-some-thread", "COORD-a1"})
	f.same("asked for", list(mail.ThreadQuery{IDs: []string{"COORD-a1", "COORD-none"}}), []string{"COORD-a1"})
	f.same("none asked for", list(mail.ThreadQuery{IDs: []string{}}), []string{})
	f.same("of an agent's", list(mail.ThreadQuery{Member: "greenhill"}), []string{})
	f.append(f.entryFrom("GreenHill", "RedSky"))
	secret := f.entry("COORD-b2", "INFO: between us")
	secret.Message.Bcc = []string{"GreenHill"}
	f.append(secret)
	f.same("sent or received", list(mail.ThreadQuery{Member: "greenhill"}), []string{"COORD-b2", "COORD-talk"})
	f.same("one of them", list(mail.ThreadQuery{Member: "GreenHill", IDs: []string{"COORD-a1", "COORD-b2"}}), []string{"COORD-b2"})
	f.same("of a stranger", list(mail.ThreadQuery{Member: "Nobody"}), []string{})

	// Imports may bring versions with gaps or twice; the latest is the highest.
	for i, v := range []int{7, 3} {
		e := f.imported("COORD-a1", int64(900+i), start)
		e.Type, e.Version = protocol.TypeCompiled, v
		f.append(e)
	}
	f.same("the latest version", f.thread("COORD-a1").LatestVersion, 7)
}

func inbox(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 2) // 1, 2
	urgent := f.entry("COORD-b2", "INFO: urgent")
	urgent.Message.Importance = message.High
	f.append(urgent)                             // 3
	f.append(f.asking("COORD-a1", "RedSky"))     // 4
	f.append(f.entryFrom("RedSky", "GreenHill")) // 5: not for RedSky
	bcc := f.entryFrom("GreenHill", "BlueLake")
	bcc.Message.Bcc, bcc.Message.AckRequired = []string{"RedSky"}, true
	f.append(bcc) // 6
	f.mark("RedSky", mail.Read, 1)
	f.mark("RedSky", mail.Delivered, 2)
	for _, c := range []struct {
		what string
		q    mail.InboxQuery
		want []int64
	}{
		{"all", mail.InboxQuery{}, []int64{6, 4, 3, 2, 1}},
		{"limit", mail.InboxQuery{Limit: 2}, []int64{6, 4}},
		{"before", mail.InboxQuery{Before: 4}, []int64{3, 2, 1}},
		{"after", mail.InboxQuery{After: 3}, []int64{6, 4}},
		{"unread", mail.InboxQuery{Unread: true}, []int64{6, 4, 3, 2}},
		{"not fetched", mail.InboxQuery{Fresh: true}, []int64{6, 4, 3}},
		{"the oldest not fetched", mail.InboxQuery{Fresh: true, Oldest: true, Limit: 2}, []int64{3, 4}},
		{"the oldest not fetched of a thread", mail.InboxQuery{Fresh: true, Oldest: true, Thread: "COORD-a1"}, []int64{4}},
		{"oldest first", mail.InboxQuery{Oldest: true, After: 1, Limit: 3}, []int64{2, 3, 4}},
		{"oldest first of a thread", mail.InboxQuery{Oldest: true, Thread: "COORD-a1", Limit: 2}, []int64{1, 2}},
		{"urgent", mail.InboxQuery{Urgent: true}, []int64{3}},
		{"owed", mail.InboxQuery{Owed: true}, []int64{4}},
		{"thread", mail.InboxQuery{Thread: "COORD-a1"}, []int64{4, 2, 1}},
		{"thread, unread, page", mail.InboxQuery{Thread: "COORD-a1", Unread: true, Before: 4}, []int64{2}},
		{"types", mail.InboxQuery{Types: []protocol.MessageType{protocol.TypeQuestion, protocol.TypeAck}}, []int64{4}},
		{"unread and urgent", mail.InboxQuery{Unread: true, Urgent: true}, []int64{3}},
	} {
		c.q.Agent = "redsky"
		f.same(c.what, receivedIDs(f.inbox(c.q)), c.want)
	}
	got := f.inbox(mail.InboxQuery{Agent: "RedSky", Limit: 1})[0]
	f.same("the message", got.Message, f.messages(mail.MessageQuery{IDs: []int64{6}})[0])
	f.same("its delivery", got.Delivery, mail.Delivery{Message: 6, Agent: "RedSky", Kind: mail.Bcc})
	f.same("an empty inbox", len(f.inbox(mail.InboxQuery{Agent: "GreenHill", Unread: true, Thread: "COORD-a1"})), 0)
	_, err := f.store.Inbox(f.ctx, mail.InboxQuery{Project: f.project, Agent: "Nobody"})
	f.wantCode(err, protocol.UnknownAgent)
}

func inboxSince(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	var sent []mail.Message
	for i := range 4 { // 1–4, a minute apart
		m, err := f.store.Append(f.ctx, f.project, start.Add(time.Duration(i)*time.Minute), f.entry("COORD-a1", "INFO: x"))
		f.must(err)
		sent = append(sent, m...)
	}
	since := func(at time.Time) []int64 { return receivedIDs(f.inbox(mail.InboxQuery{Agent: "RedSky", Since: at})) }
	f.same("since the second", since(sent[1].CreatedAt), []int64{4, 3})
	f.same("just before it", since(sent[1].CreatedAt.Add(-time.Microsecond)), []int64{4, 3, 2})
	f.same("since long ago", since(start.AddDate(-1, 0, 0)), []int64{4, 3, 2, 1})
	f.same("since later", since(start.AddDate(1, 0, 0)), []int64{})
	f.append(f.imported("COORD-b2", 9, start.Add(90*time.Second)), f.imported("COORD-b2", 10, start.AddDate(-1, 0, 0))) // 5, 6
	f.same("with imports", since(sent[1].CreatedAt), []int64{5, 4, 3})
	f.same("old mail that came in late", since(sent[3].CreatedAt), []int64{})
	f.append(f.imported("COORD-b2", 11, start.AddDate(2, 0, 0))) // 7
	f.same("an import from the future", since(start.AddDate(1, 0, 0)), []int64{7})
	f.same("of a thread", receivedIDs(f.inbox(mail.InboxQuery{Agent: "RedSky", Thread: "COORD-b2", Since: sent[1].CreatedAt})),
		[]int64{7, 5})
}
