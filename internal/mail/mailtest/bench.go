package mailtest

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

var (
	benchMessages = flag.Int("bench.messages", 1_000_000, "how many messages BenchmarkReads fills the large store with")
	benchSlice    = flag.Duration("bench.slice", 300*time.Millisecond, "how long BenchmarkSends measures each contender in a round")
)

// BenchmarkSends measures whole durable sends (message, deliveries, chain, idempotency) of 16
// senders on an engine, against two others in the same run, in turns, so that a busy machine is busy
// for all of them: single is the same engine with one transaction for each message, and the bare log
// is a file with the same group commit and nothing else. The ratios are what counts.
func BenchmarkSends(b *testing.B, engine Engine, single func(t testing.TB) mail.Store) {
	log := newBareLog(b)
	contenders := []struct {
		name string
		send func(i int64) error
	}{
		{"store", sender(b, engine.New(b))},
		{"single", sender(b, single(b))},
		{"log", log.send},
	}
	rates := make([][]float64, len(contenders))
	var toSingle, toLog []float64 // of each round: what disturbs it disturbs all three
	for b.Loop() {
		for range 12 {
			var round [3]float64
			for i, c := range contenders {
				round[i] = rate(b, 16, c.send)
				rates[i] = append(rates[i], round[i])
			}
			toSingle = append(toSingle, round[0]/round[1])
			toLog = append(toLog, round[0]/round[2])
		}
	}
	for i, c := range contenders {
		b.ReportMetric(median(rates[i]), c.name+"/s")
	}
	b.ReportMetric(median(toSingle), "x-single")
	b.ReportMetric(median(toLog), "x-log")
}

// rate runs senders for a while and returns how many sends a second came back.
func rate(b *testing.B, senders int, send func(i int64) error) float64 {
	var n atomic.Int64
	var wg sync.WaitGroup
	begun := time.Now()
	for range senders {
		wg.Go(func() {
			for time.Since(begun) < *benchSlice {
				if err := send(n.Add(1)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return float64(n.Load()) / time.Since(begun).Seconds()
}

func median[T float64 | time.Duration](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// sender sends messages to two recipients on twenty threads, each with a key of its own.
func sender(b *testing.B, s mail.Store) func(int64) error {
	f := benchFixture(b, s)
	var n atomic.Int64 // over all rounds
	return func(int64) error {
		_, err := s.Append(f.ctx, f.project, time.Now(), f.benchEntry(int(n.Add(1)), 20))
		return err
	}
}

const benchAgents = 10

func benchFixture(b *testing.B, s mail.Store) *fixture {
	f := &fixture{TB: b, store: s, ctx: b.Context()}
	p, err := s.EnsureProject(f.ctx, "/srv/bench", start)
	f.must(err)
	f.project = p.ID
	for i := range benchAgents {
		f.register(fmt.Sprintf("Agent%d", i))
	}
	return f
}

// benchBody is of the length of an ordinary message.
var benchBody = func() string {
	var b strings.Builder
	b.WriteString("# Delta Contribution\n\n")
	for i := range 8 {
		fmt.Fprintf(&b, "The gradient of %d cells is read over time, which the lineage cannot explain.\n", i)
	}
	return b.String()
}()

func (f *fixture) benchEntry(i, threads int) mail.Entry {
	return mail.Entry{
		Type: protocol.TypeInfo, Key: fmt.Sprintf("key:%d", i),
		Message: message.Message{
			ThreadID: fmt.Sprintf("COORD-bench-%d", i%threads), From: fmt.Sprintf("Agent%d", i%benchAgents),
			To: []string{fmt.Sprintf("Agent%d", (i+1)%benchAgents)}, Cc: []string{fmt.Sprintf("Agent%d", (i+3)%benchAgents)},
			Subject: fmt.Sprintf("INFO: measured message %d", i), Body: benchBody, Importance: message.Normal, Intake: protocol.Lenient,
		},
	}
}

// BenchmarkJournal measures durable sends of DELTAs of one length in turns: some have a leaf in the journal, the others, which edit
// another section, have none. The ratio is what the journal costs.
func BenchmarkJournal(b *testing.B, engine Engine) {
	without := strings.Replace(strings.Replace(resultBody, "discriminative_tests", "anomaly_register", 1), `"T1"`, `"X1"`, 1)
	contenders := []func(i int64) error{contributor(b, engine.New(b), resultBody), contributor(b, engine.New(b), without)}
	var rates [2][]float64
	var ratios []float64
	for b.Loop() {
		for range 12 {
			var round [2]float64
			for i, send := range contenders {
				round[i] = rate(b, 16, send)
				rates[i] = append(rates[i], round[i])
			}
			ratios = append(ratios, round[0]/round[1])
		}
	}
	b.ReportMetric(median(rates[0]), "journal/s")
	b.ReportMetric(median(rates[1]), "without/s")
	b.ReportMetric(median(ratios), "x-without")
}

// contributor sends DELTAs, whose text the door has read.
func contributor(b *testing.B, s mail.Store, block string) func(int64) error {
	f := benchFixture(b, s)
	body := benchBody + block
	text := message.ReadText(body, protocol.Strict)
	var n atomic.Int64
	return func(int64) error {
		e := f.benchEntry(int(n.Add(1)), 20)
		e.Type, e.Text = protocol.TypeDelta, text
		e.Message.Subject, e.Message.Body, e.Message.Intake = "DELTA[gpt]: measured", body, protocol.Strict
		_, err := s.Append(f.ctx, f.project, time.Now(), e)
		return err
	}
}
