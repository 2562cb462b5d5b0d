package mailtest

import (
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

var core = []testCase{
	{"append and read back", appendAndRead},
	{"ids and times only grow", idsAndTimes},
	{"imports keep their time", importsKeepTime},
	{"imports register agents", importsRegister},
	{"chains", chains},
	{"unknown and retired agents", unknownAndRetired},
	{"idempotency", idempotency},
	{"projects", projects},
	{"agents", agents},
	{"message queries", messageQueries},
	{"thread summaries", threadSummaries},
	{"inbox", inbox},
	{"inbox since", inboxSince},
	{"delivery states", deliveryStates},
	{"delivery queries", deliveryQueries},
	{"acknowledging with a message", ackWithMessage},
	{"reservations", reservations},
	{"one path, many spellings", leaseSpellings},
	{"projections", projections},
	{"presences", presences},
	{"presences are few", fewPresences},
	{"notes", notes},
	{"a contested note", contestedNote},
	{"search", search},
	{"search order", searchOrder},
	{"access", access},
	{"members", members},
	{"membership", membership},
	{"archive", archive},
	{"archived threads", archivedThreads},
	{"ids after archiving the last", archivedLast},
	{"copies of archived threads", archivedCopies},
	{"archiving beside senders", archivingBeside},
	{"close", closing},
	{"restart", restart},
}

func appendAndRead(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	full := f.entry("RS-20260110-full-entry", "COMPILED: v1 everything")
	full.Type, full.Version, full.Gapless = protocol.TypeCompiled, 1, true
	full.ArtifactHash, full.Key, full.Payload = canon.Hash{1, 2}, "key:full", canon.Hash{3}
	full.Message.To, full.Message.Cc, full.Message.Bcc = []string{"RedSky"}, []string{"GreenHill"}, []string{"BlueLake"}
	full.Message.AckRequired, full.Message.Importance, full.Message.Intake = true, message.Urgent, protocol.Lenient
	first := f.append(f.entry("RS-20260110-full-entry", "KICKOFF: begin"))[0]
	full.Message.ReplyTo, full.ReplyOrigin = first.ID, first.ID
	sent := f.append(full)[0]
	got := f.messages(mail.MessageQuery{IDs: []int64{sent.ID}})
	f.same("what was read", got, []mail.Message{sent})

	want := mail.Message{
		Message: full.Message, Project: f.project, SenderID: f.agent("BlueLake").ID, Type: protocol.TypeCompiled, Version: 1,
		ReplyOrigin: first.ID, ArtifactHash: full.ArtifactHash, Key: full.Key, Payload: full.Payload,
	}
	want.ID, want.CreatedAt, want.ChainHash = sent.ID, sent.CreatedAt, sent.ChainHash
	f.same("what was stored", sent, want)
	if n := len(f.messages(mail.MessageQuery{IDs: []int64{sent.ID + 1}})); n != 0 {
		t.Errorf("%d messages have an id that was not given yet", n)
	}
}

func idsAndTimes(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	var all []mail.Message
	for i, at := range []time.Duration{0, 0, -time.Hour, 1500 * time.Nanosecond, time.Second, 0} {
		thread := []string{"COORD-a1", "COORD-b2", ""}[i%3]
		m, err := f.store.Append(f.ctx, f.project, start.Add(at), f.entry(thread, "INFO: x"))
		f.must(err)
		all = append(all, m...)
	}
	for i := 1; i < len(all); i++ {
		if all[i].ID != all[i-1].ID+1 {
			t.Errorf("id %d follows %d", all[i].ID, all[i-1].ID)
		}
		if !all[i].CreatedAt.After(all[i-1].CreatedAt) {
			t.Errorf("%s is not after %s", all[i].CreatedAt, all[i-1].CreatedAt)
		}
	}
	f.same("the time of a clock that moves", all[4].CreatedAt, start.Add(time.Second))
	f.same("the time of one that stands", all[5].CreatedAt, start.Add(time.Second+time.Microsecond))
	if zone := all[0].CreatedAt.Location(); zone != time.UTC {
		t.Errorf("times are in %s", zone)
	}
	batch := f.append(f.entry("COORD-a1", "INFO: one"), f.entry("COORD-a1", "INFO: two"))
	f.same("the time of the second of a call", batch[1].CreatedAt, batch[0].CreatedAt.Add(time.Microsecond))
}

func importsKeepTime(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	future := start.AddDate(10, 0, 0)
	got := f.append(f.imported("COORD-old", 77, future.Add(123456789*time.Nanosecond)),
		f.imported("COORD-old", 3, start.AddDate(-50, 0, 0)))
	f.same("an imported time", got[0].CreatedAt, future.Add(123456*time.Microsecond))
	f.same("a time before 1970", f.messages(mail.MessageQuery{IDs: []int64{got[1].ID}})[0].CreatedAt, start.AddDate(-50, 0, 0))
	f.same("original ids", []int64{got[0].OriginalID, got[1].OriginalID}, []int64{77, 3})
	later := f.append(f.entry("COORD-old", "INFO: now"))[0]
	f.same("a time after an import from the future", later.CreatedAt, start)
}

func importsRegister(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.retire("GreenHill")
	e := f.imported("COORD-old", 1, start)
	e.Message.From, e.Message.To, e.Message.Cc = "Foreign One", []string{"redsky", "GreenHill"}, []string{"foreign one", "Other"}
	read := start.Add(time.Minute)
	e.Deliveries = []mail.Delivery{{Agent: "RedSky", Kind: mail.To, DeliveredAt: start, ReadAt: read}}
	m := f.append(e)[0]
	f.same("names as written", append(append([]string{m.From}, m.To...), m.Cc...),
		[]string{"Foreign One", "redsky", "GreenHill", "foreign one", "Other"})
	a := f.agent("FOREIGN ONE")
	f.same("the agent's name", a.Name, "Foreign One")
	f.same("its id", m.SenderID, a.ID)
	f.same("deliveries", deliveryLines(f.deliveries(mail.DeliveryQuery{Messages: []int64{m.ID}})), []string{
		"1 RedSky to read", "1 GreenHill to sent", "1 Foreign One cc sent", "1 Other cc sent",
	})
	f.same("a read time", f.deliveries(mail.DeliveryQuery{Messages: []int64{m.ID}})[0].ReadAt, read)
	f.append(f.entryFrom("Foreign One", "Other"))
}

func (f *fixture) entryFrom(from string, to ...string) mail.Entry {
	e := f.entry("COORD-talk", "INFO: to others")
	e.Message.From, e.Message.To = from, to
	return e
}

func chains(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	for i := range 6 {
		f.append(f.entry([]string{"COORD-a1", "COORD-b2"}[i%2], "INFO: x"))
	}
	f.append(f.imported("COORD-a1", 900, start), f.imported("COORD-a1", 901, start))
	f.checkChain("COORD-a1")
	f.checkChain("COORD-b2")
	for _, m := range f.append(f.entry("", "INFO: alone"), f.entry("", "INFO: alone too")) {
		f.same("the chain of a message without thread", m.ChainHash, mail.ChainNext(canon.Hash{}, &m))
	}
	threads, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project})
	f.must(err)
	if len(threads) != 2 {
		t.Errorf("%d threads, want 2", len(threads))
	}
}

func unknownAndRetired(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-talk", 1)
	f.refuse(protocol.UnknownAgent, f.entryFrom("BlueLake", "Nobody"))
	f.refuse(protocol.UnknownAgent, f.entryFrom("Nobody", "BlueLake"))
	f.refuse(protocol.UnknownAgent, f.entryFrom("BlueLake", "RedSky"), f.entryFrom("BlueLake", "RedSky", "Nobody"))
	f.retire("RedSky")
	f.refuse(protocol.AgentRetired, f.entryFrom("BlueLake", "redsky"))
	f.refuse(protocol.AgentRetired, f.entryFrom("RedSky", "BlueLake"))
	bcc := f.entryFrom("BlueLake", "GreenHill")
	bcc.Message.Bcc = []string{"RedSky"}
	f.refuse(protocol.AgentRetired, bcc)
	a := f.agent("RedSky")
	a.RetiredAt = time.Time{}
	_, err := f.store.PutAgent(f.ctx, a)
	f.must(err)
	f.append(f.entryFrom("BlueLake", "RedSky"))
	_, err = f.store.Append(f.ctx, f.project+99, start, f.entryFrom("BlueLake", "RedSky"))
	f.wantCode(err, protocol.NotFound)
}

func idempotency(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	keyed := func(key string, payload byte) mail.Entry {
		e := f.entry("COORD-talk", "INFO: once")
		e.Key, e.Payload = key, canon.Hash{payload}
		return e
	}
	first := f.append(keyed("a", 1))[0]
	f.send("COORD-talk", 2)
	f.same("the second send", f.append(keyed("a", 1))[0], first)
	f.refuse(protocol.IdempotencyConflict, keyed("a", 2))
	f.refuse(protocol.IdempotencyConflict, keyed("fresh", 1), keyed("a", 2))
	f.append(keyed("fresh", 7)) // the failed call left no trace of it
	zero := f.append(keyed("zero", 0))[0]
	f.same("a zero payload", f.append(keyed("zero", 0))[0], zero)
	f.refuse(protocol.IdempotencyConflict, keyed("zero", 1))
	twice := f.append(keyed("twice", 1), keyed("twice", 1))
	f.same("a key twice in one call", twice[1], twice[0])
	f.refuse(protocol.IdempotencyConflict, keyed("both", 1), keyed("both", 2))
	f.same("messages with keys", len(f.messages(mail.MessageQuery{Keys: []string{"a", "zero", "twice", "none", ""}})), 3)
	f.checkChain("COORD-talk")
}
