package mailtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var concurrency = []testCase{
	{"many senders", manySenders},
	{"several stores on the same data", severalStores},
	{"no message before the one before", noGapsSeen},
	{"compilers race", compilersRace},
	{"one key, many senders", oneKey},
	{"one name, many registrations", oneName},
	{"one lease, many agents", oneLease},
	{"readers beside writers", readersBesideWriters},
}

// parallel runs n functions at once and returns their errors.
func parallel(n int, run func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = run(i) })
	}
	wg.Wait()
	return errs
}

func (f *fixture) parallel(n int, run func(i int) error) {
	f.Helper()
	for _, err := range parallel(n, run) {
		f.must(err)
	}
}

func sorted[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

const senders, perSender = 8, 25

// burst sends from many goroutines, spread over the given stores, and returns what each send
// answered.
func (f *fixture) burst(stores ...mail.Store) map[string]mail.Message {
	f.Helper()
	var mu sync.Mutex
	answered := map[string]mail.Message{}
	f.parallel(senders, func(s int) error {
		for i := range perSender {
			e := f.entry([]string{"COORD-a1", "COORD-b2", ""}[i%3], fmt.Sprintf("INFO: %d/%d", s, i))
			e.Key = e.Message.Subject
			m, err := stores[s%len(stores)].Append(f.ctx, f.project, start, e)
			if err != nil {
				return err
			}
			mu.Lock()
			answered[m[0].Subject] = m[0]
			mu.Unlock()
		}
		return nil
	})
	return answered
}

// complete checks that every answered message is there, once, under ids without gaps.
func (f *fixture) complete(answered map[string]mail.Message) {
	f.Helper()
	all := f.messages(mail.MessageQuery{})
	f.same("messages", len(all), len(answered))
	for i, m := range all {
		if m.ID != int64(i+1) {
			f.Fatalf("message %d is the %dth", m.ID, i+1)
		}
		if i > 0 && !m.CreatedAt.After(all[i-1].CreatedAt) {
			f.Errorf("message %d has no later time than the one before", m.ID)
		}
		f.same("a message that was answered", m, answered[m.Subject])
	}
	f.checkChain("COORD-a1")
	f.checkChain("COORD-b2")
	f.same("the inbox", len(f.inbox(mail.InboxQuery{Agent: "RedSky"})), len(answered))
	f.same("the events", len(f.events(0)), len(answered))
}

func manySenders(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.complete(f.burst(f.store))
}

func severalStores(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	other := f.again()
	if other == nil {
		return // one store is all there is
	}
	f.send("COORD-a1", 1)
	f.same("seen from the other", len(other.messages(mail.MessageQuery{})), 1)
	other.register("NewHand")
	f.append(f.entryFrom("NewHand", "BlueLake"))
	other.append(other.entryFrom("NewHand", "BlueLake"))
	f.retire("NewHand")
	other.refuse(protocol.AgentRetired, other.entryFrom("NewHand", "BlueLake"))
	clean := newFixture(t, engine)
	clean.complete(clean.burst(clean.store, clean.again().store, clean.again().store))
}

func noGapsSeen(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	done := make(chan struct{})
	var seen sync.WaitGroup
	for range 2 {
		seen.Go(func() {
			for last := int64(0); ; {
				select {
				case <-done:
					return
				default:
				}
				page, err := f.store.Messages(f.ctx, mail.MessageQuery{Project: f.project, After: last, Limit: 50})
				if err != nil {
					t.Error(err)
					return
				}
				for _, m := range page {
					if m.ID != last+1 {
						t.Errorf("message %d was seen after %d", m.ID, last)
						return
					}
					last = m.ID
				}
			}
		})
	}
	f.burst(f.store)
	close(done)
	seen.Wait()
}

// compilersRace lets compilers publish what they find in the thread while deltas land: versions
// have no gaps, and each covers every message before it.
func compilersRace(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	stores := []mail.Store{f.store}
	if other := f.again(); other != nil {
		stores = append(stores, other.store)
	}
	const thread, rounds = "RS-20260110-compilers-race", 10
	f.send(thread, 1)
	f.parallel(6, func(n int) error {
		for i := range rounds {
			var err error
			if n%2 == 0 {
				_, err = stores[n/2%len(stores)].Append(f.ctx, f.project, start, f.entry(thread, fmt.Sprintf("DELTA[gpt]: %d/%d", n, i)))
			} else {
				err = f.compile(stores[n/2%len(stores)], thread)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	version := 0
	messages := f.checkChain(thread)
	for i, m := range messages {
		if m.Version == 0 {
			continue
		}
		version++
		f.same("a version", m.Version, version)
		f.same("what a version covers", m.Body, fmt.Sprint(idsOf(messages[:i])))
	}
	f.same("versions", version, 3*rounds)
}

// compile publishes the ids of the messages before it.
func (f *fixture) compile(s mail.Store, thread string) error {
	_, err := s.Compose(f.ctx, f.project, start, func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		threads, err := tx.Threads(ctx, mail.ThreadQuery{Project: f.project, IDs: []string{thread}})
		if err != nil {
			return nil, err
		}
		before, err := tx.Messages(ctx, mail.MessageQuery{Project: f.project, Thread: thread})
		if err != nil {
			return nil, err
		}
		e := compiledEntry(f, thread, threads[0].LatestVersion+1)
		e.Message.Body = fmt.Sprint(idsOf(before))
		return []mail.Entry{e}, nil
	})
	return err
}

func oneKey(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	stores := []mail.Store{f.store}
	if other := f.again(); other != nil {
		stores = append(stores, other.store)
	}
	ids := make([]int64, 20)
	f.parallel(len(ids), func(i int) error {
		e := f.entry("COORD-a1", "INFO: once")
		e.Key, e.Payload = "same", canon.Hash{1}
		m, err := stores[i%len(stores)].Append(f.ctx, f.project, start, e)
		if err == nil {
			ids[i] = m[0].ID
		}
		return err
	})
	for _, id := range ids {
		f.same("the message of a key", id, ids[0])
	}
	f.same("messages", len(f.messages(mail.MessageQuery{})), 1)
}

func oneName(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	names := []string{"SwiftFox", "swiftfox", "SWIFTFOX", "sWiFtFoX"}
	errs := parallel(20, func(i int) error {
		_, err := f.store.PutAgent(f.ctx, mail.Agent{Project: f.project, Name: names[i%len(names)], InceptionAt: start,
			LastActiveAt: start})
		return err
	})
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			f.wantCode(err, protocol.Conflict)
		}
	}
	f.same("registrations that won", won, 1)
	f.agent("swiftfox")
}

func oneLease(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	taken := errors.New("taken")
	errs := parallel(20, func(i int) error {
		_, err := f.store.Reservations(f.ctx, f.project, start, func(standing []mail.Reservation) ([]mail.Reservation, error) {
			if len(standing) > 0 {
				return nil, taken
			}
			return []mail.Reservation{{Agent: fmt.Sprint(i), Path: "x", CreatedAt: start, ExpiresAt: start.Add(time.Hour)}}, nil
		})
		return err
	})
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, taken) {
			t.Error(err)
		}
	}
	f.same("leases", won, 1)
}

func readersBesideWriters(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.parallel(6, func(n int) error {
		for i := range 15 {
			var err error
			switch n {
			case 0, 1:
				_, err = f.store.Append(f.ctx, f.project, start, f.asking("COORD-a1", "RedSky", "GreenHill"))
			case 2:
				_, err = f.store.Inbox(f.ctx, mail.InboxQuery{Project: f.project, Agent: "RedSky", Limit: 5, Owed: true})
			case 3:
				_, err = f.store.Deliveries(f.ctx, mail.DeliveryQuery{Project: f.project, Thread: "COORD-a1"})
			case 4:
				_, err = f.store.Search(f.ctx, mail.SearchQuery{Project: f.project, Expr: mail.Term{Words: []string{"knows"}}, Limit: 5})
			default:
				var received []mail.Received
				received, err = f.store.Inbox(f.ctx, mail.InboxQuery{Project: f.project, Agent: "GreenHill", Unread: true, Limit: 1})
				if err == nil && len(received) > 0 {
					_, err = f.store.Mark(f.ctx, mail.Mark{
						Project: f.project, Agent: "GreenHill", Messages: []int64{received[0].Message.ID}, State: mail.Acknowledged,
						At: start,
					})
				}
			}
			if err != nil {
				return fmt.Errorf("worker %d, round %d: %w", n, i, err)
			}
		}
		return nil
	})
	f.checkChain("COORD-a1")
}
