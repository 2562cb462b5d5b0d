package mailtest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"brenner/internal/mail"
)

// BenchmarkReads measures reads in a store with a million messages against the same reads in one
// with a thousand, and search against an inbox. The ratios are what counts.
func BenchmarkReads(b *testing.B, engine Engine) {
	small, large := fill(b, engine, 1000), fill(b, engine, *benchMessages)
	var inbox, unread, thread, search [2][]time.Duration
	for b.Loop() {
		for range 20 { // in turns
			for i, f := range []*reading{small, large} {
				inbox[i] = append(inbox[i], f.measure(f.readInbox))
				unread[i] = append(unread[i], f.measure(f.readUnread))
				thread[i] = append(thread[i], f.measure(f.readThread))
				search[i] = append(search[i], f.measure(f.readSearch))
			}
		}
	}
	for _, m := range []struct {
		name  string
		times [2][]time.Duration
	}{{"inbox", inbox}, {"unread", unread}, {"thread", thread}} {
		b.ReportMetric(float64(median(m.times[1]))/1000, m.name+"-µs")
		b.ReportMetric(float64(median(m.times[1]))/float64(median(m.times[0])), m.name+"-x-small")
	}
	b.ReportMetric(float64(median(search[1]))/1000, "search-µs")
	b.ReportMetric(float64(median(search[1]))/float64(median(inbox[1])), "search-x-inbox")
}

// reading is a store filled with messages.
type reading struct {
	*fixture
	threads int
	random  *rand.Rand
}

func fill(b *testing.B, engine Engine, n int) *reading {
	s := engine.New(b)
	f := &reading{fixture: benchFixture(b, s), threads: n / 100, random: rand.New(rand.NewPCG(1, uint64(n)))}
	begun := time.Now()
	const step = 2000
	for i := 0; i < n; i += step {
		var entries []mail.Entry
		for k := i; k < min(i+step, n); k++ {
			entries = append(entries, f.benchEntry(k, f.threads))
		}
		f.append(entries...)
	}
	f.caughtUp()
	b.Logf("filled %d messages in %s", n, time.Since(begun).Round(time.Millisecond))
	return f
}

// caughtUp waits until the search index has everything. Searching makes it hurry.
func (f *reading) caughtUp() {
	for {
		f.search("gradient")
		status, err := f.store.Status(f.ctx)
		f.must(err)
		if status.Lag() == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// measure returns the median of many reads.
func (f *reading) measure(read func()) time.Duration {
	times := make([]time.Duration, 50)
	for i := range times {
		begun := time.Now()
		read()
		times[i] = time.Since(begun)
	}
	return median(times)
}

func (f *reading) agentName() string { return fmt.Sprintf("Agent%d", f.random.IntN(benchAgents)) }

func (f *reading) readInbox() {
	if n := len(f.inbox(mail.InboxQuery{Agent: f.agentName(), Limit: 20})); n != 20 {
		f.Fatalf("%d messages", n)
	}
}

func (f *reading) readUnread() {
	if n := len(f.inbox(mail.InboxQuery{Agent: f.agentName(), Unread: true, Limit: 20})); n != 20 {
		f.Fatalf("%d messages", n)
	}
}

func (f *reading) readThread() {
	id := fmt.Sprintf("COORD-bench-%d", f.random.IntN(f.threads))
	if n := len(f.messages(mail.MessageQuery{Thread: id, Order: mail.NewestFirst, Limit: 20})); n != 20 {
		f.Fatalf("%d messages", n)
	}
}

func (f *reading) readSearch() {
	if n := len(f.search("gradient")); n != 20 {
		f.Fatalf("%d messages", n)
	}
}
