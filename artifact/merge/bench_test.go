package merge_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"brenner/artifact/merge"
	"brenner/message"
	"brenner/protocol"
)

// benchEdit is an EDIT of about 440 bytes.
func benchEdit(i, items int) string {
	return fmt.Sprintf(`{
  "operation": "EDIT",
  "section": "discriminative_tests",
  "target_id": "T%d",
  "payload": {
    "potency_check": "Include a late-transplant control (both H1 and H2 predict no change) AND verify cell viability after the transplant with a vital dye; observer %d scores blind, and marks are read twice",
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

// benchThread makes a thread of ADDs, then EDITs, so many blocks a message.
func benchThread(items, edits, blocks int) []message.Message {
	var thread []message.Message
	var body strings.Builder
	n := 0
	flush := func() {
		agent := []string{"BlueLake", "GreenValley", "RedSky"}[len(thread)%3]
		thread = append(thread, post(int64(len(thread)+1), agent, "DELTA[gpt]: bench", body.String()))
		body.Reset()
		n = 0
	}
	put := func(block string, most int) {
		if n == 0 {
			body.WriteString("# Delta Contribution\n\nSome words about it.\n\n## Deltas\n")
		}
		body.WriteString("\n```delta\n" + block + "\n```\n")
		if n++; n == most {
			flush()
		}
	}
	for i := range items {
		put(benchAdd(i), 100)
	}
	if n > 0 {
		flush()
	}
	for i := range edits {
		put(benchEdit(i, items), blocks)
	}
	if n > 0 {
		flush()
	}
	return thread
}

func foldThread(tb testing.TB, thread []message.Message, applied int) *merge.State {
	s := merge.New("RS-20251230-cell-fate")
	got := 0
	for _, m := range thread {
		got += s.Fold(m).Applied
	}
	if got != applied {
		tb.Fatalf("%d applied, want %d", got, applied)
	}
	return s
}

// BenchmarkFold100k compiles 100,000 EDITs of 1,000 items: fold, window and hash. Beside the
// time of an EDIT it reports the peak of the heap with the thread's text already there
// (thread-MB), which is to stay under 200 MB.
func BenchmarkFold100k(b *testing.B) {
	const edits, items = 100_000, 1_000
	for _, blocks := range []int{1, 20, 200} {
		b.Run(fmt.Sprintf("%dPerMessage", blocks), func(b *testing.B) {
			thread := benchThread(items, edits, blocks)
			size := 0
			for _, m := range thread {
				size += len(m.Body)
			}
			b.ReportAllocs()
			b.SetBytes(int64(size))
			peak := peakHeap(func() { compile(b, thread, items+edits) })
			for b.Loop() {
				compile(b, thread, items+edits)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*edits), "µs/EDIT")
			b.ReportMetric(float64(size)/1e6, "thread-MB")
			b.ReportMetric(peak/1e6, "peak-MB")
		})
	}
}

func compile(tb testing.TB, thread []message.Message, applied int) {
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
		{"Killed1kTo10k", func() []message.Message { return killing(1000) },
			func() []message.Message { return killing(10_000) }, 3},
		{"Handles200To2k", func() []message.Message { return handled(200) },
			func() []message.Message { return handled(2000) }, 9},
	} {
		b.Run(g.name, func(b *testing.B) {
			small, large := g.small(), g.large()
			for b.Loop() {
				foldOnly(large)
			}
			b.ReportMetric(quickest(large, g.rounds)/quickest(small, g.rounds), "growth")
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

// quickest is the time of the quickest of some rounds, on a clean heap.
func quickest(thread []message.Message, rounds int) float64 {
	best := time.Hour
	for range rounds {
		debug.FreeOSMemory()
		start := time.Now()
		foldOnly(thread)
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
		thread[0].Body = block(`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":{"H1":"x"}},"rationale":"r"}`)
	}
	for i := range n {
		thread = append(thread, post(int64(i+2), "BlueLake", "DELTA[gpt]: more", block(
			`{"operation":"EDIT","section":%q,"target_id":%q,"payload":{%q:%s},"rationale":"r"}`, section, target, field, fmt.Sprintf(format, i+2))))
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

// killing adds and kills hypotheses that resemble each other by some words, never enough.
func killing(n int) []message.Message {
	words := strings.Fields("cell fate gradient lineage marks division signal membrane clock state memory protein kinase receptor ligand vesicle spindle histone ribosome codon")
	var thread []message.Message
	for i := range n {
		var claim []string
		for seed := i*2654435761 + 12345; len(claim) < 7; seed /= 7 {
			claim = append(claim, words[seed%len(words)])
		}
		thread = append(thread, post(int64(i+1), "BlueLake", "DELTA[gpt]: try",
			block(`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"Idea %d","claim":%q,"mechanism":"m","anchors":["§1"]},"rationale":"r"}`, i, strings.Join(claim, " "))+
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
		b.WriteString(block(`{"operation":"ADD","section":"anomaly_register","local_id":"h%d","payload":{"name":"n","observation":"o","conflicts_with":[%q],"status":"active"},"rationale":"r"}`, i, next))
	}
	return []message.Message{post(1, "BlueLake", "DELTA[gpt]: chain", b.String())}
}

// BenchmarkOneMore folds one more EDIT onto a loaded state of 10,000 items and 100,000
// EDITs.
func BenchmarkOneMore(b *testing.B) {
	thread := benchThread(10_000, 100_000, 20)
	saved := foldThread(b, thread, 110_000).Save()
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
	s := foldThread(b, benchThread(10_000, 100_000, 20), 110_000)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(s.Save())))
	}
}

func BenchmarkLoad(b *testing.B) {
	saved := foldThread(b, benchThread(10_000, 100_000, 20), 110_000).Save()
	b.SetBytes(int64(len(saved)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := merge.Load(saved); err != nil {
			b.Fatal(err)
		}
	}
}
