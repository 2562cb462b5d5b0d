package teamtest

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"brenner/internal/store/postgres/pgtest"
)

// BenchmarkNodes: messages a second that one, two and three nodes take, with 32 senders in all, each waiting for its answer.
func BenchmarkNodes(b *testing.B) {
	for _, n := range []int{1, 2, 3} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			dsn := pgtest.Start(b, pgtest.Durable).DSN()
			var nodes []*depot
			for range n {
				nodes = append(nodes, openDepot(b, dsn, layout{messages: 1000, sessions: 20, agents: 20}))
			}
			var next atomic.Int64
			var all sync.WaitGroup
			b.ResetTimer()
			for sender := range 32 {
				d := nodes[sender%n]
				all.Go(func() {
					for i := int(next.Add(1)); i <= b.N; i = int(next.Add(1)) {
						if err := d.send(d.messages + i); err != nil {
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
