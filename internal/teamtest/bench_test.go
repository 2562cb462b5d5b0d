package teamtest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/store/postgres/pgtest"
	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

var large = flag.Int("messages", 50_000, "how many messages the large store of BenchmarkScale has")

// depot is a store with agents, as a node has it.
type depot struct {
	testing.TB
	store   mail.Store
	project mail.ProjectID
	agents  int
	threads int
}

func openDepot(b testing.TB, dsn string, agents, threads int) *depot {
	b.Helper()
	store, err := app.OpenStore(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	project, err := store.EnsureProject(b.Context(), "/srv/scale", time.Now())
	if err != nil {
		b.Fatal(err)
	}
	d := &depot{b, store, project.ID, agents, threads}
	for i := range agents {
		_, err := store.PutAgent(b.Context(), mail.Agent{Project: project.ID, Name: agentName(i), InceptionAt: time.Now(), LastActiveAt: time.Now()})
		if err != nil && protocol.CodeOf(err) != protocol.Conflict {
			b.Fatal(err)
		}
	}
	return d
}

func agentName(i int) string { return fmt.Sprintf("Agent%d", i) }

// entry is an ordinary message of about a kilobyte: half of a line of common words, and some that are rare.
func (d *depot) entry(i int) mail.Entry {
	body := strings.Repeat("cells keep their fate when moved late and lose it when moved early ", 14) + fmt.Sprintf("rare%d", i%5000)
	return mail.Entry{Type: protocol.TypeInfo, Message: message.Message{
		ThreadID: fmt.Sprintf("COORD-%d", i%d.threads), From: agentName(i % d.agents), To: []string{agentName((i + 1) % d.agents)},
		Subject: "INFO: message " + strconv.Itoa(i), Body: body, Importance: message.Normal, Intake: protocol.Strict,
	}}
}

func (d *depot) fill(n int) {
	d.Helper()
	const page = 500
	for i := 0; i < n; i += page {
		entries := make([]mail.Entry, 0, page)
		for j := i; j < min(n, i+page); j++ {
			entries = append(entries, d.entry(j))
		}
		if _, err := d.store.Append(d.Context(), d.project, time.Now(), entries...); err != nil {
			d.Fatal(err)
		}
	}
	for range 600 { // the index is written behind
		if status, err := d.store.Status(d.Context()); err == nil && status.Lag() == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// BenchmarkNodes: messages a second that one, two and three nodes take, with 32 senders in all, each waiting for its answer.
func BenchmarkNodes(b *testing.B) {
	for _, n := range []int{1, 2, 3} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			dsn := pgtest.Start(b, pgtest.Durable).DSN()
			var nodes []*depot
			for range n {
				nodes = append(nodes, openDepot(b, dsn, 20, 20))
			}
			var next atomic.Int64
			var all sync.WaitGroup
			b.ResetTimer()
			for sender := range 32 {
				d := nodes[sender%n]
				all.Go(func() {
					for i := int(next.Add(1)); i <= b.N; i = int(next.Add(1)) {
						if _, err := d.store.Append(context.Background(), d.project, time.Now(), d.entry(i)); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

// BenchmarkScale: what a call takes in a large store, as a multiple of what it takes in a small one in the same run; bytes on disk
// for each message, and memory of the process.
func BenchmarkScale(b *testing.B) {
	server := pgtest.Start(b, pgtest.Durable)
	small := openDepot(b, server.DSN(), 20, 20)
	small.fill(1000)
	before := number(server.Ask(b, "SELECT pg_database_size('postgres')"))
	big := openDepot(b, server.DSN(), max(20, *large/10_000), max(20, *large/1000))
	big.fill(*large)
	server.Ask(b, "CHECKPOINT")
	bytes := float64(number(server.Ask(b, "SELECT pg_database_size('postgres')"))-before) / float64(*large)
	for _, c := range []struct {
		name string
		do   func(d *depot, i int) error
	}{
		{"send", func(d *depot, i int) error {
			_, err := d.store.Append(d.Context(), d.project, time.Now(), d.entry(i))
			return err
		}},
		{"inbox", func(d *depot, i int) error {
			_, err := d.store.Inbox(d.Context(), mail.InboxQuery{Project: d.project, Agent: agentName(i % d.agents), Limit: 20})
			return err
		}},
		{"wait", func(d *depot, i int) error {
			status, err := d.store.Status(d.Context())
			if err != nil {
				return err
			}
			woken := make(chan error, 1)
			go func() { woken <- d.store.Wait(d.Context(), d.project, status.Cursor) }()
			if _, err := d.store.Append(d.Context(), d.project, time.Now(), d.entry(i)); err != nil {
				return err
			}
			return <-woken
		}},
		{"thread", func(d *depot, i int) error {
			_, err := d.store.Messages(d.Context(), mail.MessageQuery{Project: d.project, Thread: fmt.Sprintf("COORD-%d", i%d.threads), Limit: 50})
			return err
		}},
		{"search", func(d *depot, i int) error {
			query, err := mail.ParseSearch(fmt.Sprintf("rare%d", i%5000))
			if err == nil {
				_, err = d.store.Search(d.Context(), mail.SearchQuery{Project: d.project, Expr: query, Limit: 20})
			}
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took [2][]time.Duration
			for range max(b.N, 200) {
				for which, d := range []*depot{small, big} {
					began := time.Now()
					if err := c.do(d, rand.IntN(1_000_000)); err != nil {
						b.Fatal(err)
					}
					took[which] = append(took[which], time.Since(began))
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			at := func(which int, part float64) float64 {
				return float64(took[which][int(part*float64(len(took[which])-1))].Microseconds())
			}
			b.ReportMetric(at(1, 0.5), "p50-µs")
			b.ReportMetric(at(1, 0.5)/at(0, 0.5), "p50-ratio")
			b.ReportMetric(at(1, 0.95)/at(0, 0.95), "p95-ratio")
		})
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.Logf("%d messages: %.0f bytes on disk for each, all indexes included; %d MB of heap", *large, bytes, memory.HeapInuse>>20)
}
