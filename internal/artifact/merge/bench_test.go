package merge_test

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// benchEdit is an EDIT of about 440 bytes.
func benchEdit(i, items int) string {
	return fmt.Sprintf(`{
  "operation": "EDIT",
  "section": "discriminative_tests",
  "target_id": "T%d",
  "payload": {
    "potency_check": "Include a late-transplant control (both H1 and H2 predict no change) AND verify cell viability after the `+
		`transplant with a vital dye; observer %d scores blind, and marks are read twice",
    "expected_outcomes": {"H%d": "Marks persist independently of both, run %d"}
  },
  "rationale": "The viability check strengthens the potency control"
}`, i*7919%items+1, i, i%6+1, i)
}

func benchAdd(i int) string {
	return fmt.Sprintf(`{"operation":"ADD","section":"discriminative_tests","target_id":null,"payload":{"name":"Assay %d",`+
		`"procedure":"Track marks","discriminates":"H1 vs H2","expected_outcomes":{"H1":"history","H2":"position"},`+
		`"score":{"likelihood_ratio":2,"cost":%d}},"rationale":"r"}`, i, i%4)
}

// benchMessages makes a thread of ADDs, then EDITs, so many blocks a message, one message
// after the other.
func benchMessages(items, edits, blocks int) iter.Seq[message.Message] {
	return func(yield func(message.Message) bool) {
		var body strings.Builder
		id, n := 0, 0
		send := func() {
			agent := []string{"BlueLake", "GreenValley", "RedSky"}[id%3]
			id++
			yield(post(int64(id), agent, "DELTA[gpt]: bench", body.String()))
			body = strings.Builder{}
			n = 0
		}
		put := func(block string, most int) {
			if n == 0 {
				body.WriteString("# Delta Contribution\n\nSome words about it.\n\n## Deltas\n")
			}
			body.WriteString("\n```delta\n" + block + "\n```\n")
			if n++; n == most {
				send()
			}
		}
		for i := range items {
			put(benchAdd(i), 100)
		}
		if n > 0 {
			send()
		}
		for i := range edits {
			put(benchEdit(i, items), blocks)
		}
		if n > 0 {
			send()
		}
	}
}

func benchThread(items, edits, blocks int) []message.Message {
	return slices.Collect(benchMessages(items, edits, blocks))
}

func foldThread(tb testing.TB, thread iter.Seq[message.Message], applied int) *merge.State {
	s := merge.New("RS-20251230-cell-fate")
	got := 0
	for m := range thread {
		got += s.Fold(m).Applied
	}
	if got != applied {
		tb.Fatalf("%d applied, want %d", got, applied)
	}
	return s
}

// BenchmarkFold100k compiles 100,000 EDITs of 1,000 items: fold, window and hash. peak-MB is
// the largest heap while messages come in one by one; it is to stay under 200.
func BenchmarkFold100k(b *testing.B) {
	const edits, items = 100_000, 1_000
	for _, blocks := range []int{1, 20, 200} {
		b.Run(fmt.Sprintf("%dPerMessage", blocks), func(b *testing.B) {
			peak := peakHeap(func() { compile(b, benchMessages(items, edits, blocks), items+edits) })
			thread := benchThread(items, edits, blocks)
			size := 0
			for _, m := range thread {
				size += len(m.Body)
			}
			b.ReportAllocs()
			b.SetBytes(int64(size))
			for b.Loop() {
				compile(b, slices.Values(thread), items+edits)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*edits), "µs/EDIT")
			b.ReportMetric(peak/1e6, "peak-MB")
		})
	}
}

func compile(tb testing.TB, thread iter.Seq[message.Message], applied int) {
	s := foldThread(tb, thread, applied)
	if w := s.Window(); w.Deltas.Applied != applied {
		tb.Fatal(w.Deltas)
	}
	if s.Document().Metadata.ArtifactHash == "" {
		tb.Fatal("no hash")
	}
}

// peakHeap runs a function and returns the largest heap that the collector saw in between.
func peakHeap(run func()) float64 {
	runtime.GC()
	done, stopped := make(chan struct{}), make(chan float64)
	go func() {
		peak := uint64(0)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse+m.StackInuse)
			select {
			case <-done:
				stopped <- float64(peak)
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	run()
	close(done)
	return <-stopped
}

// BenchmarkGrowth reports how many times longer ten times the work takes: linear is 10, more
// than 13 is a defect.
func BenchmarkGrowth(b *testing.B) {
	for _, g := range []struct {
		name         string
		small, large func() []message.Message
		rounds       int
	}{
		{"Edits10kTo100k", func() []message.Message { return benchThread(1000, 10_000, 20) },
			func() []message.Message { return benchThread(1000, 100_000, 20) }, 5},
		{"Edits100kTo1M", func() []message.Message { return benchThread(1000, 100_000, 20) },
			func() []message.Message { return benchThread(1000, 1_000_000, 20) }, 1},
		{"Items1kTo10k", func() []message.Message { return benchThread(1000, 0, 20) },
			func() []message.Message { return benchThread(10_000, 0, 20) }, 9},
		{"Anchors1kTo10k", func() []message.Message { return growing(1000, "anchors", `["§%d"]`) },
			func() []message.Message { return growing(10_000, "anchors", `["§%d"]`) }, 5},
		{"Keys1kTo10k", func() []message.Message { return growing(1000, "predictions", `{"K%d":"x"}`) },
			func() []message.Message { return growing(10_000, "predictions", `{"K%d":"x"}`) }, 5},
		{"Agents1kTo10k", func() []message.Message { return crowd(1000, time.Second) },
			func() []message.Message { return crowd(10_000, time.Second) }, 5},
		{"Ties1kTo10k", func() []message.Message { return crowd(1000, 0) },
			func() []message.Message { return crowd(10_000, 0) }, 5},
		{"Handles200To2k", func() []message.Message { return handled(200) },
			func() []message.Message { return handled(2000) }, 40},
	} {
		b.Run(g.name, func(b *testing.B) {
			small, large := g.small(), g.large()
			for b.Loop() {
				foldOnly(large)
			}
			b.ReportMetric(10*quickest(large, 1, g.rounds)/quickest(small, 10, g.rounds), "growth")
		})
	}
}

func foldOnly(thread []message.Message) {
	s := merge.New("RS-20251230-cell-fate")
	for _, m := range thread {
		s.Fold(m)
	}
	s.Window()
}

// quickest is the time of the quickest of some rounds, each of so many folds: what is small
// is folded as often as it takes to work as long as what is large, the collector included.
func quickest(thread []message.Message, folds, rounds int) float64 {
	best := time.Hour
	for range rounds {
		runtime.GC()
		start := time.Now()
		for range folds {
			foldOnly(thread)
		}
		best = min(best, time.Since(start))
	}
	return best.Seconds()
}

// growing makes one field larger with every message.
func growing(n int, field, format string) []message.Message {
	section, target := "hypothesis_slate", "H1"
	thread := []message.Message{post(1, "BlueLake", "DELTA[gpt]: add", block(hypothesis, 1))}
	if field == "predictions" {
		section, target = "predictions_table", "P1"
		thread[0].Body = block(`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":{"H1":"x"}},` +
			`"rationale":"r"}`)
	}
	for i := range n {
		thread = append(thread, post(int64(i+2), "BlueLake", "DELTA[gpt]: more", block(
			`{"operation":"EDIT","section":%q,"target_id":%q,"payload":{%q:%s},"rationale":"r"}`, section, target, field,
			fmt.Sprintf(format, i+2))))
	}
	return thread
}

// crowd makes many agents edit one field, at intervals or all at one instant.
func crowd(n int, interval time.Duration) []message.Message {
	thread := []message.Message{post(1, "BlueLake", "DELTA[gpt]: add", block(hypothesis, 1))}
	for i := range 2 * n {
		m := post(int64(i+2), fmt.Sprintf("Agent%d", i%n), "DELTA[gpt]: mine", block(
			`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"claim %d"},"rationale":"r"}`, i))
		m.CreatedAt = noon.Add(time.Hour + time.Duration(i)*interval)
		thread = append(thread, m)
	}
	return thread
}

// killing adds and kills hypotheses over a vocabulary of 400 words: they resemble each other
// by some, never enough.
func killing(n int) []message.Message {
	stems := strings.Fields("cell fate grad line mark divi sign memb cloc stat memo prot kina rece liga vesi spin hist ribo codo")
	ends := strings.Fields("a ance ar ate ation ent er ial ic ide in ion ism ist ity ive ol or osis um")
	var thread []message.Message
	for i := range n {
		var claim []string
		for seed := uint64(i+1) * 0x9E3779B97F4A7C15; len(claim) < 8; seed = seed*6364136223846793005 + 1442695040888963407 {
			claim = append(claim, stems[seed>>40%20]+ends[seed>>50%20])
		}
		thread = append(thread, post(int64(i+1), "BlueLake", "DELTA[gpt]: try",
			block(`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"Idea `+
				`%d","claim":%q,"mechanism":"m","anchors":["§1"]},"rationale":"r"}`, i, strings.Join(claim, " "))+
				block(`{"operation":"KILL","section":"hypothesis_slate","target_id":"H%d","payload":{"reason":"r"},"rationale":"r"}`, i+1)))
	}
	return thread
}

// handled is one message in which every block relies on the next.
func handled(n int) []message.Message {
	var b strings.Builder
	for i := range n {
		next := fmt.Sprintf("@h%d", i+1)
		if i == n-1 {
			next = "H1"
		}
		b.WriteString(block(`{"operation":"ADD","section":"anomaly_register","local_id":"h%d","payload":{"name":"n","observation":"o",`+
			`"conflicts_with":[%q],"status":"active"},"rationale":"r"}`, i, next))
	}
	return []message.Message{post(1, "BlueLake", "DELTA[gpt]: chain", b.String())}
}

// BenchmarkReproposal adds and kills a hypothesis when so many have been killed before. The
// search is bounded: from some thousand on it costs the same.
func BenchmarkReproposal(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprintf("%dKilled", n), func(b *testing.B) {
			s := merge.New("RS-20251230-cell-fate")
			thread := killing(n + 1)
			for _, m := range thread[:n] {
				s.Fold(m)
			}
			saved := s.Save()
			for b.Loop() {
				b.StopTimer()
				s, err := merge.Load(saved)
				if err != nil {
					b.Fatal(err)
				}
				s.Fold(thread[n]) // makes the index
				again := thread[n]
				again.Body = strings.Replace(again.Body, fmt.Sprintf("H%d", n+1), fmt.Sprintf("H%d", n+2), 1)
				b.StartTimer()
				s.Fold(again)
			}
		})
	}
}

// BenchmarkOneMore folds one more EDIT onto a loaded state of 10,000 items and 100,000
// EDITs.
func BenchmarkOneMore(b *testing.B) {
	thread := benchThread(10_000, 100_000, 20)
	saved := foldThread(b, slices.Values(thread), 110_000).Save()
	s, err := merge.Load(saved)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		m := post(int64(len(thread)+i+1), "BlueLake", "DELTA[gpt]: one more", "```delta\n"+benchEdit(i, 10_000)+"\n```\n")
		m.Intake = protocol.Strict
		s.Fold(m)
		i++
	}
	b.ReportMetric(float64(len(saved))/1e6, "saved-MB")
}

// BenchmarkSave and BenchmarkLoad are the price of a cached state.
func BenchmarkSave(b *testing.B) {
	s := foldThread(b, benchMessages(10_000, 100_000, 20), 110_000)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(s.Save())))
	}
}

func BenchmarkLoad(b *testing.B) {
	saved := foldThread(b, benchMessages(10_000, 100_000, 20), 110_000).Save()
	b.SetBytes(int64(len(saved)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := merge.Load(saved); err != nil {
			b.Fatal(err)
		}
	}
}
