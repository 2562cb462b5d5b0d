package science_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// posted is a message with what folding it did.
type posted struct {
	message message.Message
	report  merge.MessageReport
}

// manyResults is a thread whose one test has n results, most of them replications of the first, and what a hundred more
// messages would add.
func manyResults(n int) (state *science.State, fold *merge.State, more []posted) {
	fold, state = merge.New("RS-20260110-cells-turn"), &science.State{}
	post := func(id int, from, body string) posted {
		m := message.Message{
			ID: int64(id), ThreadID: fold.ThreadID(), From: from, Subject: "DELTA[gpt]: more", Body: "# D\n\n" + body,
			CreatedAt: dawn, Intake: protocol.Strict,
		}
		return posted{m, fold.Fold(m)}
	}
	take := func(t posted) { state.Advance(&t.message, &t.report, fold.Artifact()) }
	take(post(1, "BlueLake", addHypothesis("one")+"\n"+addHypothesis("two")+"\n"+addTest(fields{"H1": "up", "H2": "down"})))
	result := func(i int) posted {
		run := fields{"outcome": []string{"up", "down"}[i%2], "evidence": []string{fmt.Sprintf("EV-%03d", i)}}
		if i%10 != 0 {
			run["replicates"] = 2
		}
		return post(i+2, []string{"BlueLake", "RedSky"}[i%2], editTest("T1", fields{"last_run": run}))
	}
	for i := range n {
		take(result(i))
	}
	for i := range 100 {
		more = append(more, result(n+i))
	}
	return state, fold, more
}

// BenchmarkResults: one more result costs the same in any history, and the list of all is linear in it (SCIENCE 2).
func BenchmarkResults(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		state, fold, more := manyResults(n)
		b.Run(fmt.Sprintf("one more of %d", n), func(b *testing.B) {
			var now *science.State
			for i := 0; b.Loop(); i++ {
				if i%len(more) == 0 {
					b.StopTimer()
					now = state.Snapshot()
					b.StartTimer()
				}
				t := &more[i%len(more)]
				now.Advance(&t.message, &t.report, fold.Artifact())
			}
		})
		for name, read := range map[string]func(){
			"list": func() {
				state.ResultRows()
			}, "notes": func() { state.ResultNotes() }, "notes of the last": func() { state.NotesSince(state.Messages - 1) },
		} {
			b.Run(fmt.Sprintf("%s of %d", name, n), func(b *testing.B) {
				for b.Loop() {
					read()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/result")
			})
		}
	}
}

// BenchmarkNext ranks a thousand tests for six hypotheses and twelve agents: tests with labels, and such of which a tenth measure
// quantities, which may take three times that.
func BenchmarkNext(b *testing.B) {
	for name, numeric := range map[string]int{"labels": 0, "a tenth numbers": 10} {
		l := manyTests(rand.New(rand.NewPCG(1, 5)), numeric)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if r := l.account().Next(science.ByBitsPerEffort); len(r.Tests) != 1000 {
					b.Fatal(len(r.Tests))
				}
			}
		})
	}
}

// manyTests is a thread with a thousand tests, of which one in some measures a quantity; 0: none does.
func manyTests(rnd *rand.Rand, numeric int) *lab {
	l := newLab()
	l.begin("BlueLake")
	for range 6 {
		l.addHypothesis()
	}
	for i := range 1000 {
		if numeric > 0 && i%numeric == 0 {
			l.measures(l.addTest(randomSpreads(rnd, l), randomScore(rnd)), labMeasure{lo: 1, hi: 20, sd: 0.5})
		} else {
			l.addTest(randomCells(rnd, l), randomScore(rnd))
		}
	}
	l.end()
	for i := range 12 {
		l.begin(fmt.Sprintf("Agent%d", i))
		l.believe(map[string]float64{"H1": rnd.Float64()})
		for n := 1; n <= 100; n++ {
			l.foresee(n, randomTable(rnd, l, l.open.tests[n].measure != nil))
		}
		l.end()
	}
	return l
}
