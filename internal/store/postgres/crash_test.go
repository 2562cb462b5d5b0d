package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres/pgtest"
)

var serverCrashes = flag.Int("crash.servers", 30, "how often TestServerCrash kills the server")

// TestServerCrash kills the server in the middle of sending, again and again, while two stores
// send and publish. They are never opened again. Everything that was accepted is there, once, in a
// valid chain, with versions without gaps.
func TestServerCrash(t *testing.T) {
	server := pgtest.Start(t, pgtest.Durable)
	dsn := server.DSN()
	a, b := newLab(t, open(t, dsn)), newLab(t, open(t, dsn))
	c := &crash{told: map[string]bool{}, stop: make(chan struct{})}
	c.log(a.mustSend(entry(crashThread, "first"))[0].Subject)
	var senders sync.WaitGroup
	for i := range 8 {
		l := []*lab{a, b}[i%2]
		act := c.send
		if i < 2 {
			act = c.publish
		}
		senders.Go(func() { c.run(t, fmt.Sprintf("s%d", i), l, act) })
	}
	for range *serverCrashes {
		c.await(t)
		time.Sleep(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
		server.Crash(t)
		server.Start(t)
	}
	c.await(t)
	close(c.stop)
	senders.Wait()
	c.check(t, a)
	t.Logf("%d crashes, %d messages told", *serverCrashes, len(c.told))
}

const crashThread = "COORD-crash"

type crash struct {
	mu   sync.Mutex
	told map[string]bool
	stop chan struct{}
}

func (c *crash) log(subject string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told[subject] = true
}

func (c *crash) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.told)
}

// await waits until sending works again.
func (c *crash) await(t *testing.T) {
	t.Helper()
	before := c.count()
	within(t, "sending after a crash", func() bool { return c.count() > before+20 })
}

// run acts until the end. An attempt that failed is not made again: its subject must be there
// at most once.
func (c *crash) run(t *testing.T, name string, l *lab, act func(l *lab, subject string) error) {
	for i := 0; ; i++ {
		select {
		case <-c.stop:
			return
		default:
		}
		subject := fmt.Sprintf("%s/%d", name, i)
		err := act(l, subject)
		switch {
		case err == nil:
			c.log(subject)
		case protocol.CodeOf(err) != protocol.StoreUnavailable:
			t.Errorf("%s: %v", subject, err)
			return
		default:
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func (c *crash) send(l *lab, subject string) error {
	_, err := l.send(entry(crashThread, subject))
	return err
}

func (c *crash) publish(l *lab, subject string) error {
	_, err := l.store.Compose(context.Background(), l.project, time.Now(), func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		threads, err := tx.Threads(ctx, mail.ThreadQuery{Project: l.project, IDs: []string{crashThread}})
		if err != nil {
			return nil, err
		}
		e := entry(crashThread, subject)
		e.Type, e.Version, e.Gapless = protocol.TypeCompiled, threads[0].LatestVersion+1, true
		e.Message.Body = fmt.Sprintf("%d messages", threads[0].Messages)
		return []mail.Entry{e}, nil
	})
	return err
}

func (c *crash) check(t *testing.T, l *lab) {
	t.Helper()
	seen := map[string]bool{}
	version := 0
	for i, m := range l.thread(crashThread) {
		if m.ID != int64(i+1) || seen[m.Subject] {
			t.Fatalf("%s: the %dth message has id %d, seen before: %t", m.Subject, i+1, m.ID, seen[m.Subject])
		}
		seen[m.Subject] = true
		if m.Version == 0 {
			continue
		}
		if version++; m.Version != version || m.Body != fmt.Sprintf("%d messages", i) {
			t.Errorf("message %d is version %d with %s; want version %d with %d", m.ID, m.Version, m.Body, version, i)
		}
	}
	for subject := range c.told {
		if !seen[subject] {
			t.Errorf("%s was accepted and is gone", subject)
		}
	}
	if version == 0 {
		t.Error("no version was published")
	}
}
