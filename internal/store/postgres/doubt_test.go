package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/protocol"
	"brenner/internal/store/postgres/pgtest"
)

// TestCommitWithoutAnswer: whether the line is cut before a commit or after it, each message is
// there once and its sender learns so.
func TestCommitWithoutAnswer(t *testing.T) {
	for name, when := range map[string]moment{"before": beforeCommit, "after": afterCommit} {
		t.Run(name, func(t *testing.T) {
			p, dsn := newProxy(t, pgtest.DSN(t))
			l := newLab(t, open(t, dsn))
			l.mustSend(entry("COORD-a", "INFO: first"))
			for round := range 5 {
				p.arm(when)
				var senders sync.WaitGroup
				for i := range 8 {
					senders.Go(func() {
						if _, err := l.send(entry("COORD-a", fmt.Sprintf("INFO: %d.%d", round, i))); err != nil {
							t.Error(err)
						}
					})
				}
				senders.Wait()
				p.mu.Lock()
				if p.cut != never {
					t.Error("the line was not cut")
				}
				p.mu.Unlock()
			}
			seen := map[string]bool{}
			for _, m := range l.thread("COORD-a") {
				if seen[m.Subject] {
					t.Errorf("%s is there twice", m.Subject)
				}
				seen[m.Subject] = true
			}
			if len(seen) != 41 {
				t.Errorf("%d of 41 messages are there", len(seen))
			}
		})
	}
}

// TestCommitBesideOthers: others wrote before the sender could look; the chain tells whose
// message it is.
func TestCommitBesideOthers(t *testing.T) {
	direct := pgtest.DSN(t)
	p, dsn := newProxy(t, direct)
	l, other := newLab(t, open(t, dsn)), newLab(t, open(t, direct))
	stop := make(chan struct{})
	var busy sync.WaitGroup
	busy.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				other.mustSend(entry("COORD-a", fmt.Sprintf("INFO: other %d", i)))
			}
		}
	})
	for i := range 10 {
		p.arm([]moment{beforeCommit, afterCommit}[i%2])
		l.mustSend(entry("COORD-a", fmt.Sprintf("INFO: mine %d", i)))
	}
	close(stop)
	busy.Wait()
	mine := 0
	for i, m := range l.thread("COORD-a") {
		if m.ID != int64(i+1) {
			t.Fatalf("message %d has id %d", i+1, m.ID)
		}
		if strings.HasPrefix(m.Subject, "INFO: mine") {
			mine++
		}
	}
	if mine != 10 {
		t.Errorf("10 messages were sent, %d are there", mine)
	}
}

// TestCommitInDoubt: if the server cannot be asked, the error says what is not known.
func TestCommitInDoubt(t *testing.T) {
	direct := pgtest.DSN(t)
	p, dsn := newProxy(t, direct)
	l := newLab(t, open(t, dsn))
	p.arm(afterCommit)
	p.mu.Lock()
	p.down = true
	p.mu.Unlock()
	keyed := entry("COORD-a", "INFO: keyed")
	keyed.Key, keyed.Payload[0] = "once", 1
	begun := time.Now()
	_, err := l.send(keyed)
	wantCode(t, err, protocol.StoreUnavailable)
	if !strings.Contains(err.Error(), "not known") || time.Since(begun) > 15*time.Second {
		t.Errorf("after %s: %v", time.Since(begun), err)
	}
	again := newLabOn(t, open(t, direct))
	if sent := again.mustSend(keyed); sent[0].ID != 1 || len(again.thread("COORD-a")) != 1 {
		t.Errorf("the key did not find what was committed: %+v", sent)
	}
}
