package mailtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var transactions = []testCase{
	{"all or nothing", allOrNothing},
	{"opening a thread", openingThread},
	{"gapless versions", gaplessVersions},
	{"compose reads what it follows", composeReads},
	{"compose fails", composeFails},
	{"compose gives back nothing", composeNothing},
	{"a cancelled call", cancelledCall},
	{"a caller who leaves", callerLeaves},
	{"a bad call beside good ones", badBesideGood},
}

func allOrNothing(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 2)
	agents, err := f.store.Agents(f.ctx, f.project)
	f.must(err)
	events := f.events(0)
	good := f.entry("COORD-a1", "INFO: good")
	good.Key, good.Acks = "good", []mail.Ack{{Message: 1, Agent: "RedSky"}}
	imported := f.imported("COORD-new", 5, start)
	imported.Message.From = "Newcomer"
	f.refuse(protocol.UnknownAgent, good, imported, f.entryFrom("Nobody", "BlueLake"))
	after, err := f.store.Agents(f.ctx, f.project)
	f.must(err)
	f.same("agents", after, agents)
	f.same("events", f.events(0), events)
	f.same("deliveries", deliveryLines(f.deliveries(mail.DeliveryQuery{Agent: "RedSky"})), []string{"1 RedSky to sent", "2 RedSky to sent"})
	f.checkChain("COORD-a1")
	m := f.append(good, imported)
	f.same("ids after a refusal", idsOf(m), []int64{3, 4})
	f.checkChain("COORD-a1")
	f.checkChain("COORD-new")
	f.same("the newcomer's id", f.agent("Newcomer").ID, agents[len(agents)-1].ID+1)
}

func openingThread(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	e := f.entry("bd-1", "KICKOFF: open")
	e.Type, e.Opens = protocol.TypeKickoff, true
	f.append(e)
	_, err := f.store.Append(f.ctx, f.project, start, e)
	if !errors.Is(err, mail.ErrThreadOpened) {
		t.Errorf("opening a thread again: %v, want ErrThreadOpened", err)
	}
	e.Message.ThreadID = "bd-2"
	_, err = f.store.Append(f.ctx, f.project, start, e, e)
	if !errors.Is(err, mail.ErrThreadOpened) {
		t.Errorf("opening a thread twice in one call: %v, want ErrThreadOpened", err)
	}
	f.append(e)
	f.same("messages", len(f.messages(mail.MessageQuery{})), 2)
}

func compiledEntry(f *fixture, thread string, version int) mail.Entry {
	e := f.entry(thread, fmt.Sprintf("COMPILED: v%d x", version))
	e.Type, e.Version, e.Gapless = protocol.TypeCompiled, version, true
	return e
}

func gaplessVersions(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	taken := func(version int) {
		t.Helper()
		_, err := f.store.Append(f.ctx, f.project, start, compiledEntry(f, "COORD-a1", version))
		if !errors.Is(err, mail.ErrVersionTaken) {
			t.Errorf("version %d: %v, want ErrVersionTaken", version, err)
		}
	}
	taken(2)
	taken(0)
	f.append(compiledEntry(f, "COORD-a1", 1))
	taken(1)
	taken(3)
	f.append(compiledEntry(f, "COORD-a1", 2))
	f.append(compiledEntry(f, "COORD-b2", 1)) // threads count for themselves
	e := f.imported("COORD-a1", 70, start)
	e.Type, e.Version = protocol.TypeCompiled, 9
	f.append(e)
	taken(3)
	f.append(compiledEntry(f, "COORD-a1", 10))
	f.same("the latest version", f.thread("COORD-a1").LatestVersion, 10)

	e = compiledEntry(f, "COORD-a1", 11)
	e.Follows = f.thread("COORD-a1").HeadID
	f.send("COORD-a1", 1) // after it was compared with the thread
	if _, err := f.store.Append(f.ctx, f.project, start, e); !errors.Is(err, mail.ErrThreadMoved) {
		t.Errorf("behind another message: %v, want ErrThreadMoved", err)
	}
	e.Follows = f.thread("COORD-a1").HeadID
	f.append(e)
}

func composeReads(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	sent := f.send("COORD-a1", 3)
	f.mark("RedSky", mail.Read, 2)
	var nextID int64
	got, err := f.store.Compose(f.ctx, f.project, start, func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		messages, err := tx.Messages(ctx, mail.MessageQuery{Project: f.project, Thread: "COORD-a1", After: 1})
		f.must(err)
		f.same("messages inside", messages, sent[1:])
		threads, err := tx.Threads(ctx, mail.ThreadQuery{Project: f.project, IDs: []string{"COORD-a1"}})
		f.must(err)
		f.same("the thread inside", threads[0].HeadID, int64(3))
		deliveries, err := tx.Deliveries(ctx, mail.DeliveryQuery{Project: f.project, Messages: []int64{2}})
		f.must(err)
		f.same("a delivery inside", deliveryLines(deliveries), []string{"2 RedSky to read"})
		agents, err := tx.Agents(ctx, f.project, "bluelake")
		f.must(err)
		f.same("an agent inside", len(agents), 1)
		nextID = tx.NextID()
		e := f.entry("COORD-a1", "INFO: made inside")
		e.Message.Body = fmt.Sprintf("%d at %s", tx.NextID(), mail.FormatTime(tx.Time()))
		return []mail.Entry{e, f.entry("COORD-a1", "INFO: and another")}, nil
	})
	f.must(err)
	f.same("the id that was promised", got[0].ID, nextID)
	f.same("id and time that were promised", got[0].Body, fmt.Sprintf("%d at %s", got[0].ID, mail.FormatTime(got[0].CreatedAt)))
	f.same("the second", got[1].ID, nextID+1)
	f.same("what was written", f.messages(mail.MessageQuery{After: 3}), got)
	f.checkChain("COORD-a1")
}

func composeFails(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.send("COORD-a1", 1)
	refused := errors.New("not now")
	_, err := f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) {
		return []mail.Entry{f.entry("COORD-a1", "INFO: x")}, refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error of compose came back as %v", err)
	}
	_, err = f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) {
		return []mail.Entry{f.entry("COORD-a1", "INFO: x"), f.entryFrom("Nobody", "RedSky")}, nil
	})
	f.wantCode(err, protocol.UnknownAgent)
	f.same("messages", len(f.messages(mail.MessageQuery{})), 1)
	f.send("COORD-a1", 1)
	f.checkChain("COORD-a1")
}

func composeNothing(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	before := f.events(0)
	got, err := f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) { return nil, nil })
	f.must(err)
	f.same("messages", len(got), 0)
	f.same("events", f.events(0), before)
}

func cancelledCall(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	_, err := f.store.Append(ctx, f.project, start, f.entry("COORD-a1", "INFO: x"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled send: %v", err)
	}
	_, err = f.store.Messages(ctx, mail.MessageQuery{Project: f.project})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read: %v", err)
	}
	f.same("messages", len(f.messages(mail.MessageQuery{})), 0)
}

// callerLeaves: a caller whose context ends never has its function run behind its back, and those
// who share its transaction do not notice.
func callerLeaves(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	for range 20 {
		ctx, cancel := context.WithCancel(f.ctx)
		var running atomic.Bool
		companion := make(chan error, 1)
		go func() {
			_, err := f.store.Append(f.ctx, f.project, start, f.entry("COORD-a1", "INFO: companion"))
			companion <- err
		}()
		_, err := f.store.Compose(ctx, f.project, start, func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
			running.Store(true)
			defer running.Store(false)
			cancel()
			for range 100 { // time enough for a caller who would not wait
				runtime.Gosched()
				if _, err := tx.Threads(context.WithoutCancel(ctx), mail.ThreadQuery{Project: f.project}); err != nil {
					return nil, err
				}
			}
			return nil, ctx.Err()
		})
		if running.Load() {
			t.Fatal("the function still ran after its caller had left")
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the caller who left got %v", err)
		}
		f.must(<-companion)
	}
}

// badBesideGood sends good and bad messages at once: each gets its own outcome.
func badBesideGood(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	const n = 60
	outcomes := parallel(n, func(i int) error {
		var entries []mail.Entry
		switch i % 3 {
		case 0:
			entries = []mail.Entry{f.entry("COORD-a1", fmt.Sprintf("INFO: good %d", i))}
		case 1:
			entries = []mail.Entry{f.entry("COORD-a1", fmt.Sprintf("INFO: half %d", i)), f.entryFrom("BlueLake", "Nobody")}
		default:
			_, err := f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) {
				return []mail.Entry{f.entry("COORD-a1", "INFO: taken back")}, errors.New("a compose that fails")
			})
			return err
		}
		_, err := f.store.Append(f.ctx, f.project, start, entries...)
		return err
	})
	for i, err := range outcomes {
		if good := i%3 == 0; good != (err == nil) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	f.same("messages", len(f.checkChain("COORD-a1")), n/3)
}
