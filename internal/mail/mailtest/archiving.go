package mailtest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

const shelved = "RS-20260110-goes-away"

// shelve makes a thread with everything that archiving has to carry, between messages of others, and returns it.
func (f *fixture) shelve() []mail.Message {
	f.Helper()
	f.send("COORD-b2", 1)
	f.append(f.entry(shelved, "KICKOFF: findable"), f.asking(shelved, "RedSky", "GreenHill"))
	f.append(f.imported(shelved, 40, start.AddDate(2, 0, 0)))
	compiled := f.entry(shelved, "COMPILED: v1 x")
	compiled.Type, compiled.Version, compiled.Gapless, compiled.Key, compiled.Payload = protocol.TypeCompiled, 1, true, "k", canon.Hash{7}
	f.append(compiled)
	f.append(f.entry(shelved, "INFO: Session complete at v1"))
	answer := f.entry("COORD-b2", "INFO: findable too")
	answer.Message.ReplyTo, answer.ReplyOrigin = 4, 40
	f.append(answer)
	f.mark("RedSky", mail.Acknowledged, 3)
	f.mark("GreenHill", mail.Acknowledged, 3)
	f.must(f.store.PutProjection(f.ctx, f.project, mail.Projection{Kind: "fold", Key: shelved, Through: 6, Data: []byte("x")}))
	f.must(f.store.PutProjection(f.ctx, f.project, mail.Projection{Kind: "window", Key: "5", Through: 5, Data: []byte("x")}))
	f.must(f.store.Rebuild(f.ctx)) // it drops kept data, and makes the index whole
	f.must(f.store.PutProjection(f.ctx, f.project, mail.Projection{Kind: "fold", Key: shelved, Through: 6, Data: []byte("x")}))
	f.must(f.store.PutProjection(f.ctx, f.project, mail.Projection{Kind: "window", Key: "5", Through: 5, Data: []byte("x")}))
	return f.messages(mail.MessageQuery{Thread: shelved})
}

func (f *fixture) threadArchiver() mail.ThreadArchiver {
	f.Helper()
	archiver, ok := f.store.(mail.ThreadArchiver)
	if !ok {
		f.Fatal("the store is no mail.ThreadArchiver")
	}
	return archiver
}

// stub is what stays of the thread.
func (f *fixture) stub(t mail.Thread) mail.ArchivedThread {
	return mail.ArchivedThread{
		Project: f.project, ID: t.ID, HeadID: t.HeadID, ChainHash: t.ChainHash, Title: "Where to?", Crate: "away.zip",
		SHA256: canon.Hash{1, 2}, Through: 5, By: "alice", At: start.Add(time.Hour),
	}
}

func (f *fixture) archiveThread(thread string) mail.ArchivedThread {
	f.Helper()
	archived, err := f.threadArchiver().ArchiveThread(f.ctx, f.project, thread,
		func(t mail.Thread, _ []mail.Message) (mail.ArchivedThread, error) {
			return f.stub(t), nil
		})
	f.must(err)
	return archived
}

func archivedThreads(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	before := f.shelve()
	summary, deliveries := f.thread(shelved), f.deliveries(mail.DeliveryQuery{Thread: shelved})
	events := f.events(0)

	refused := errors.New("no")
	_, err := f.threadArchiver().ArchiveThread(f.ctx, f.project, shelved,
		func(got mail.Thread, messages []mail.Message) (mail.ArchivedThread, error) {
			f.same("the thread to seal", got, summary)
			f.same("the messages to seal", messages, before)
			return mail.ArchivedThread{}, refused
		})
	if !errors.Is(err, refused) {
		t.Fatalf("the seal's own error came back as %v", err)
	}
	f.same("after a refusal", f.checkChain(shelved), before)
	_, err = f.threadArchiver().ArchiveThread(f.ctx, f.project, "RS-20260110-not-there", nil)
	f.wantCode(err, protocol.NotFound)

	stub := f.archiveThread(shelved)
	f.same("what stays", stub, f.stub(summary))
	f.gone(before, summary, events)
	if other := f.again(); other != nil {
		other.gone(before, summary, events)
	}
	f.must(f.store.Rebuild(f.ctx))
	f.gone(before, summary, events)
	f.told()
	f.putBack(before, summary, deliveries)
}

// told: who took part learns that the thread is archived; for a stranger it is not there.
func (f *fixture) told() {
	f.Helper()
	f.register("Stranger")
	s := mail.NewService(f.store, mail.Project{ID: f.project}, mail.Options{})
	for agent, code := range map[string]protocol.Code{"RedSky": protocol.ThreadArchived, "GreenHill": protocol.ThreadArchived,
		"Stranger": protocol.NotFound} {
		_, err := s.AccessOf(agent).Message(f.ctx, 3)
		f.wantCode(err, code)
		for _, body := range []string{"", "Got it."} {
			_, err = s.Acknowledge(f.ctx, agent, 3, body)
			f.wantCode(err, code)
		}
		_, err = s.MarkRead(f.ctx, agent, 3)
		f.wantCode(err, code)
	}
	_, err := s.FullAccess().Message(f.ctx, 3)
	f.wantCode(err, protocol.ThreadArchived)
	_, err = s.FullAccess().Message(f.ctx, 300)
	f.wantCode(err, protocol.NotFound)
}

// gone checks a store whose thread was archived.
func (f *fixture) gone(before []mail.Message, summary mail.Thread, events []mail.Event) {
	f.Helper()
	stubs, err := f.threadArchiver().ArchivedThreads(f.ctx, f.project, shelved)
	f.must(err)
	f.same("the stub", stubs, []mail.ArchivedThread{f.stub(summary)})
	summary.Crate = "away.zip"
	f.same("the summary", f.thread(shelved), summary)
	for _, q := range []mail.MessageQuery{{Thread: shelved}, {Thread: shelved, After: 100},
		{Thread: shelved, Types: []protocol.MessageType{protocol.TypeCompiled}}} {
		q.Project = f.project
		_, err = f.store.Messages(f.ctx, q)
		f.wantCode(err, protocol.ThreadArchived)
	}
	f.same("the log", idsOf(f.messages(mail.MessageQuery{})), []int64{1, 7})
	want := make([]mail.Message, len(before))
	for i, m := range before {
		if m.ID <= 5 {
			m.Body = ""
		}
		want[i] = m
	}
	f.same("what is kept", f.messages(mail.MessageQuery{Thread: shelved, Archived: true}), want)
	f.same("by id", f.messages(mail.MessageQuery{IDs: []int64{3, 7}, Archived: true}), want[1:2])
	f.same("by key", f.messages(mail.MessageQuery{Keys: []string{"k"}, Archived: true}), want[3:4])
	f.same("the inbox", receivedIDs(f.inbox(mail.InboxQuery{Agent: "RedSky"})), []int64{7, 1})
	f.same("deliveries", len(f.deliveries(mail.DeliveryQuery{Messages: idsOf(before)})), 0)
	f.same("found", idsOf(f.search("findable")), []int64{7})
	told := f.events(0)
	f.same("events", told[:len(events)], events)
	f.same("the new event", told[len(events)], mail.Event{
		Seq: told[len(events)].Seq, Project: f.project, Kind: mail.EventArchived, Message: 6, Thread: shelved, Agent: "BlueLake",
		At: start.Add(time.Hour),
	})
	for _, key := range []string{"fold " + shelved, "window 5"} {
		var kind, of string
		_, _ = fmt.Sscan(key, &kind, &of)
		_, err = f.store.Projection(f.ctx, f.project, mail.ProjectionKind(kind), of)
		f.wantCode(err, protocol.NotFound)
	}
	taking, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project, Member: "GreenHill"})
	f.must(err)
	f.same("who took part", taking, []mail.Thread{summary})
	_, err = f.store.Mark(f.ctx, mail.Mark{Project: f.project, Agent: "RedSky", Messages: []int64{2}, State: mail.Read, At: start})
	f.wantCode(err, protocol.NotFound)

	f.refuse(protocol.ThreadArchived, f.entry(shelved, "INFO: late"))
	f.refuse(protocol.ThreadArchived, f.imported(shelved, 41, start))
	again := f.entry("COORD-b2", "INFO: the key again")
	again.Key, again.Payload = "k", canon.Hash{8}
	f.refuse(protocol.IdempotencyConflict, again)
	again.Payload = canon.Hash{7}
	f.same("a key used again", f.append(again)[0].ID, int64(5))
	_, err = f.threadArchiver().ArchiveThread(f.ctx, f.project, shelved, nil)
	f.wantCode(err, protocol.ThreadArchived)
}

// putBack restores the thread: it is what it was.
func (f *fixture) putBack(before []mail.Message, summary mail.Thread, deliveries []mail.Delivery) {
	f.Helper()
	refused := errors.New("no")
	archiver, at := f.threadArchiver(), start.Add(2*time.Hour)
	err := archiver.RestoreThread(f.ctx, f.project, shelved, at, func(mail.ArchivedThread, []mail.Message) error { return refused })
	if !errors.Is(err, refused) {
		f.Fatalf("the refill's own error came back as %v", err)
	}
	f.wantCode(archiver.RestoreThread(f.ctx, f.project, "COORD-b2", at, nil), protocol.NotFound)
	f.must(archiver.RestoreThread(f.ctx, f.project, shelved, at, func(a mail.ArchivedThread, messages []mail.Message) error {
		f.same("the stub to refill", a, f.stub(summary))
		for i := range messages {
			messages[i].Body = before[i].Body
		}
		return nil
	}))
	f.same("restored", f.checkChain(shelved), before)
	f.same("the summary restored", f.thread(shelved), summary)
	f.same("deliveries restored", f.deliveries(mail.DeliveryQuery{Thread: shelved}), deliveries)
	f.same("found again", idsOf(f.search("findable")), []int64{7, 2})
	f.same("archived still", len(f.messages(mail.MessageQuery{Archived: true})), 0)
	told := f.events(0)
	f.same("the event of restoring", told[len(told)-1], mail.Event{
		Seq: told[len(told)-1].Seq, Project: f.project, Kind: mail.EventRestored, Message: 6, Thread: shelved, Agent: "BlueLake", At: at,
	})
	f.append(f.entry(shelved, "INFO: goes on"))
	f.checkChain(shelved)
	f.must(f.store.Rebuild(f.ctx))
	f.checkChain(shelved)
	f.archiveThread(shelved) // again, with one message more
}

// archivedLast: ids, times and cursors go on where they were, also in another process.
func archivedLast(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	sent := f.send(shelved, 3)
	last := f.events(0)
	f.archiveThread(shelved)
	for _, at := range []*fixture{f, f.again()} {
		if at == nil {
			continue
		}
		status, err := at.store.Status(f.ctx)
		f.must(err)
		next := at.append(at.entry("COORD-b2", "INFO: goes on"))[0]
		f.same("the next id", next.ID, status.Messages+1)
		if !next.CreatedAt.After(sent[2].CreatedAt) || next.ID <= sent[2].ID {
			t.Errorf("message %d at %s is not after message %d at %s", next.ID, next.CreatedAt, sent[2].ID, sent[2].CreatedAt)
		}
		events := at.events(last[len(last)-1].Seq)
		f.same("the last event", events[len(events)-1].Message, next.ID)
	}
	f.same("found", len(f.search("goes")), len(f.messages(mail.MessageQuery{})))
}

func archivedCopies(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	before := f.shelve()
	summary, deliveries, events := f.thread(shelved), f.deliveries(mail.DeliveryQuery{Thread: shelved}), f.events(0)
	f.archiveThread(shelved)
	records := f.dump(f.store.(mail.Archiver))
	to := *f
	to.store = engine.New(t)
	f.must(to.store.(mail.Archiver).Load(f.ctx, each(records, nil)))
	f.same("a copy of the copy", to.dump(to.store.(mail.Archiver)), records)
	to.gone(before, summary, events)
	f.must(to.store.(mail.Archiver).Replace(f.ctx, each(records, nil)))
	f.same("what was replaced", to.dump(to.store.(mail.Archiver)), records)
	f.same("the next message", to.append(to.entry("COORD-b2", "INFO: goes on"))[0], f.append(f.entry("COORD-b2", "INFO: goes on"))[0])
	to.putBack(before, summary, deliveries)
}

// archivingBeside archives and restores a thread while others send to it and elsewhere: each message is accepted before the
// thread is sealed, or refused.
func archivingBeside(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send(shelved, 20)
	f.send("COORD-b2", 1)
	other := f.again()
	if other == nil {
		other = f
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for _, sender := range []*fixture{f, other} {
		for _, thread := range []string{shelved, "COORD-b2"} {
			wg.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					_, err := sender.store.Append(f.ctx, f.project, start, sender.entry(thread, "INFO: beside"))
					if err != nil && (thread != shelved || protocol.CodeOf(err) != protocol.ThreadArchived) {
						t.Errorf("sending to %s: %v", thread, err)
						return
					}
				}
			})
		}
	}
	for range 5 {
		var bodies []mail.Message
		_, err := f.threadArchiver().ArchiveThread(f.ctx, f.project, shelved,
			func(t mail.Thread, messages []mail.Message) (mail.ArchivedThread, error) {
				bodies = messages
				stub := f.stub(t)
				stub.Through = t.HeadID
				return stub, nil
			})
		f.must(err)
		f.must(other.threadArchiver().RestoreThread(f.ctx, f.project, shelved, start,
			func(_ mail.ArchivedThread, messages []mail.Message) error {
				if len(messages) != len(bodies) {
					return fmt.Errorf("%d messages came back of %d", len(messages), len(bodies))
				}
				for i := range messages {
					messages[i].Body = bodies[i].Body
				}
				return nil
			}))
	}
	close(stop)
	wg.Wait()
	f.checkChain(shelved)
	f.checkChain("COORD-b2")
	for i, m := range f.messages(mail.MessageQuery{}) {
		f.same("ids without gaps", m.ID, int64(i+1))
	}
}
