package mailtest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func reservations(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	lease := mail.Reservation{
		Agent: "BlueLake", Path: "src/**", Exclusive: true, Reason: "edits", CreatedAt: start, ExpiresAt: start.Add(time.Hour),
	}
	put := func(now time.Time, list ...mail.Reservation) []mail.Reservation {
		standing, err := f.store.Reservations(f.ctx, f.project, now, func([]mail.Reservation) ([]mail.Reservation, error) {
			return list, nil
		})
		f.must(err)
		return standing
	}
	got := put(start, lease, mail.Reservation{Agent: "RedSky", Path: "doc", CreatedAt: start, ExpiresAt: start.Add(time.Minute)})
	if len(got) != 2 || got[0].ID == 0 || got[0].ID == got[1].ID {
		t.Fatalf("two leases: %+v", got)
	}
	lease.ID, lease.Project = got[0].ID, f.project
	f.same("a lease", got[0], lease)
	at := func(now time.Time) []mail.Reservation {
		standing, err := f.store.Reservations(f.ctx, f.project, now, nil)
		f.must(err)
		return standing
	}
	f.same("before the end", len(at(start.Add(59*time.Second))), 2)
	f.same("at the end", len(at(start.Add(time.Minute))), 1)
	lease.ExpiresAt, lease.Reason = start.Add(2*time.Hour), "still edits"
	f.same("a changed lease", put(start.Add(time.Minute), lease), []mail.Reservation{lease})
	lease.Released = start.Add(2 * time.Minute)
	f.same("a released lease", len(put(start.Add(2*time.Minute), lease)), 0)

	refused := errors.New("no")
	_, err := f.store.Reservations(f.ctx, f.project, start, func(standing []mail.Reservation) ([]mail.Reservation, error) {
		return []mail.Reservation{{Agent: "RedSky", Path: "x", CreatedAt: start, ExpiresAt: start.Add(time.Hour)}}, refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the change's own error came back as %v", err)
	}
	_, err = f.store.Reservations(f.ctx, f.project, start, func([]mail.Reservation) ([]mail.Reservation, error) {
		return []mail.Reservation{{Agent: "RedSky", Path: "x", CreatedAt: start, ExpiresAt: start.Add(time.Hour)}, {ID: 4711}}, nil
	})
	f.wantCode(err, protocol.NotFound)
	f.same("after refusals", len(at(start.Add(3*time.Minute))), 0)
}

func projections(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	_, err := f.store.Projection(f.ctx, f.project, "fold", "COORD-a1")
	f.wantCode(err, protocol.NotFound)
	put := func(p mail.Projection) { f.must(f.store.PutProjection(f.ctx, f.project, p)) }
	get := func(kind mail.ProjectionKind, key string) mail.Projection {
		p, err := f.store.Projection(f.ctx, f.project, kind, key)
		f.must(err)
		return p
	}
	five := mail.Projection{Kind: "fold", Key: "COORD-a1", Through: 5, Data: []byte{0, 1, 255}}
	put(five)
	f.same("kept", get("fold", "COORD-a1"), five)
	put(mail.Projection{Kind: "fold", Key: "COORD-a1", Through: 4, Data: []byte("old")})
	f.same("kept against an older one", get("fold", "COORD-a1"), five)
	five.Data = []byte("again")
	put(five)
	f.same("replaced by one as old", get("fold", "COORD-a1"), five)
	put(mail.Projection{Kind: "other", Key: "COORD-a1", Through: 1, Data: []byte("x")})
	f.same("another kind", string(get("other", "COORD-a1").Data), "x")

	f.send("COORD-a1", 3)
	f.append(f.entry("COORD-b2", "INFO: findable"), f.entry("", "INFO: alone"))
	before, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project})
	f.must(err)
	f.must(f.store.Rebuild(f.ctx))
	_, err = f.store.Projection(f.ctx, f.project, "fold", "COORD-a1")
	f.wantCode(err, protocol.NotFound)
	after, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project})
	f.must(err)
	f.same("summaries made again", after, before)
	f.same("found again", idsOf(f.search("findable")), []int64{4})
	f.send("COORD-a1", 1)
	f.checkChain("COORD-a1")
	status, err := f.store.Status(f.ctx)
	f.must(err)
	f.same("messages in the status", status.Messages, int64(6))
	if status.Lag() > 1 || status.Engine == "" || status.Schema < 1 || status.Cursor == 0 {
		t.Errorf("status after a rebuild: %+v", status)
	}
}

func archive(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	from, ok := f.store.(mail.Archiver)
	if !ok {
		t.Fatal("the store is no mail.Archiver")
	}
	f.send("COORD-a1", 3)
	keyed := f.entry("COORD-a1", "COMPILED: v1 x")
	keyed.Type, keyed.Version, keyed.Gapless, keyed.Key = protocol.TypeCompiled, 1, true, "k"
	f.append(keyed)
	f.append(f.asking("COORD-b2", "RedSky", "GreenHill"), f.imported("COORD-b2", 12, start.AddDate(1, 0, 0)), f.entry("", "INFO: alone"))
	f.mark("RedSky", mail.Acknowledged, 5)
	f.retire("GreenHill")
	_, err := f.store.Reservations(f.ctx, f.project, start, func([]mail.Reservation) ([]mail.Reservation, error) {
		return []mail.Reservation{{Agent: "RedSky", Path: "x", CreatedAt: start, ExpiresAt: start.Add(time.Hour)}}, nil
	})
	f.must(err)
	for _, n := range []mail.Note{{Kind: mail.TokenNotes, Key: "b", Data: []byte("{}")},
		{Kind: mail.AuditNotes, Key: "a", Data: []byte{0, 255}}, {Kind: "visit", Key: "c"}} {
		_, err := f.store.PutNote(f.ctx, f.project, start, n)
		f.must(err)
	}
	records := f.dump(from)
	f.same("archived notes", len(slices.DeleteFunc(slices.Clone(records), func(r mail.Record) bool { return r.Note == nil })), 2)

	to := *f
	to.store = engine.New(t)
	f.must(to.store.(mail.Archiver).Load(f.ctx, each(records, nil)))
	f.same("a copy of the copy", to.dump(to.store.(mail.Archiver)), records)
	to.checkChain("COORD-a1")
	to.checkChain("COORD-b2")
	f.same("found in the copy", idsOf(to.search("alone")), []int64{7})
	f.same("owed in the copy", deliveryLines(to.deliveries(mail.DeliveryQuery{Owed: true})), []string{"5 GreenHill to sent"})
	next := to.append(to.entry("COORD-a1", "INFO: goes on"))[0]
	f.same("the next message", next, f.append(f.entry("COORD-a1", "INFO: goes on"))[0])
	f.same("the events", to.events(0), f.events(0))
	f.wantCode(to.store.(mail.Archiver).Load(f.ctx, each(records, nil)), protocol.Conflict)

	torn := engine.New(t)
	cut := protocol.Errorf(protocol.InvalidInput, "the file is torn")
	f.wantCode(torn.(mail.Archiver).Load(f.ctx, each(records[:9], cut)), protocol.InvalidInput)
	left, err := torn.Projects(f.ctx)
	f.must(err)
	f.same("what a torn archive leaves", len(left), 0)
	f.must(torn.(mail.Archiver).Load(f.ctx, each(records, nil)))
	f.replaced(&to, records)
}

// replaced puts an archive in the place of what a store holds: after an error the old data is
// there, else the archive's alone, and the log goes on from its end.
func (f *fixture) replaced(to *fixture, records []mail.Record) {
	f.Helper()
	to.append(to.entry("COORD-c3", "INFO: gone soon"))
	before := to.dump(to.store.(mail.Archiver))
	cut := protocol.Errorf(protocol.InvalidInput, "the file is torn")
	f.wantCode(to.store.(mail.Archiver).Replace(f.ctx, each(records[:9], cut)), protocol.InvalidInput)
	f.same("what a torn archive replaces", to.dump(to.store.(mail.Archiver)), before)
	f.must(to.store.(mail.Archiver).Replace(f.ctx, each(records, nil)))
	f.same("what was replaced", to.dump(to.store.(mail.Archiver)), records)
	f.same("found after that", len(to.search("gone")), 0)
	to.checkChain("COORD-a1")
	f.same("the message after that", to.append(to.entry("COORD-a1", "INFO: goes on"))[0].ID, int64(8))
}

func (f *fixture) dump(from mail.Archiver) []mail.Record {
	f.Helper()
	var records []mail.Record
	f.must(from.Dump(f.ctx, func(r mail.Record) error {
		records = append(records, r)
		return nil
	}))
	stop := errors.New("stop")
	if err := from.Dump(f.ctx, func(mail.Record) error { return stop }); !errors.Is(err, stop) {
		f.Errorf("the reader's own error came back as %v", err)
	}
	return records
}

// each hands out records, then an error if there is one.
func each(records []mail.Record, end error) func(yield func(mail.Record, error) bool) {
	return func(yield func(mail.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
		if end != nil {
			yield(mail.Record{}, end)
		}
	}
}

func closing(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 1)
	waited := make(chan error, 1)
	go func() { waited <- f.store.Wait(f.ctx, f.project, 1000) }()
	f.must(f.store.Close())
	f.must(f.store.Close())
	select {
	case err := <-waited:
		f.wantCode(err, protocol.StoreUnavailable)
	case <-time.After(10 * time.Second):
		t.Fatal("Wait outlives Close")
	}
	_, err := f.store.Append(f.ctx, f.project, start, f.entry("COORD-a1", "INFO: late"))
	f.wantCode(err, protocol.StoreUnavailable)
	_, err = f.store.Messages(f.ctx, mail.MessageQuery{Project: f.project})
	f.wantCode(err, protocol.StoreUnavailable)
	_, err = f.store.Status(f.ctx)
	f.wantCode(err, protocol.StoreUnavailable)
}

func restart(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	sent := f.send("COORD-a1", 5)
	f.mark("RedSky", mail.Read, 1)
	other := f.again()
	if other == nil { // its data ends with the store
		return
	}
	f.must(f.store.Close())
	f.same("messages after a restart", other.messages(mail.MessageQuery{}), sent)
	f.same("states after a restart", deliveryLines(other.deliveries(mail.DeliveryQuery{Messages: []int64{1}})),
		[]string{"1 RedSky to read"})
	f.same("events after a restart", len(other.events(5)), 1)
	next := other.append(other.entry("COORD-a1", "INFO: goes on"))[0]
	f.same("the next id", next.ID, int64(6))
	if !next.CreatedAt.After(sent[4].CreatedAt) {
		t.Errorf("%s is not after %s", next.CreatedAt, sent[4].CreatedAt)
	}
	other.checkChain("COORD-a1")
}
