package science_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/science"
)

// BenchmarkSimulation plays sessions whose truth is known: four hypotheses, forty tests with random
// expectations and scores, outcomes drawn by the test's own table. It counts the tests, and their
// effort, until the pool gives the truth 95 %, in three orders. doc/beliefs.md has the table.
func BenchmarkSimulation(b *testing.B) {
	const worlds = 1000
	for _, order := range []struct {
		name   string
		choose func(*rand.Rand, *lab) artifact.ItemID
	}{
		{"next", func(_ *rand.Rand, l *lab) artifact.ItemID {
			return first(l.account().Next(science.ByBitsPerEffort))
		}},
		{"next-by-bits", func(_ *rand.Rand, l *lab) artifact.ItemID { return first(l.account().Next(science.ByBits)) }},
		{"score", func(_ *rand.Rand, l *lab) artifact.ItemID { return byScore(l) }},
		{"random", func(rnd *rand.Rand, l *lab) artifact.ItemID {
			tests := l.account().Next(science.ByBits).Tests
			slices.SortFunc(tests, func(a, b science.Advice) int { return cmp.Compare(a.Test.Number(), b.Test.Number()) })
			if len(tests) == 0 {
				return ""
			}
			return tests[rnd.IntN(len(tests))].Test
		}},
	} {
		b.Run(order.name, func(b *testing.B) {
			var tests, effort []float64
			reached := 0
			for b.Loop() {
				tests, effort, reached = nil, nil, 0
				for seed := range uint64(worlds) {
					n, e, ok := play(rand.New(rand.NewPCG(seed, 7)), order.choose)
					tests, effort = append(tests, n), append(effort, e)
					if ok {
						reached++
					}
				}
			}
			b.ReportMetric(median(tests), "tests")
			b.ReportMetric(median(effort), "effort")
			b.ReportMetric(100*float64(reached)/worlds, "%-reached")
		})
	}
}

func first(r science.Ranking) artifact.ItemID {
	if len(r.Tests) == 0 {
		return ""
	}
	return r.Tests[0].Test
}

// byScore is the first test without a result in the order of the artifact.
func byScore(l *lab) artifact.ItemID {
	for _, it := range l.artifact.Ranked() {
		if l.state.Results.R(it.ID) == nil {
			return it.ID
		}
	}
	return ""
}

const hypotheses, designs = 4, 40

// play does tests until the truth has 95 %, or none is left.
func play(rnd *rand.Rand, choose func(*rand.Rand, *lab) artifact.ItemID) (tests, effort float64, reached bool) {
	l := newLab()
	l.begin("BlueLake")
	for range hypotheses {
		l.addHypothesis()
	}
	efforts := map[artifact.ItemID]float64{}
	for range designs {
		cells, score := map[int]string{}, map[string]float64{}
		for h := 1; h <= hypotheses; h++ {
			cells[h] = fmt.Sprintf("outcome %d", rnd.IntN(3))
		}
		for _, part := range artifact.ScoreParts {
			score[part] = float64(rnd.IntN(4))
		}
		l.addTest(cells, score)
	}
	l.end()
	for _, a := range l.account().Next(science.ByBits).Tests {
		efforts[a.Test] = a.Effort
	}
	truth := 1 + rnd.IntN(hypotheses)
	for {
		if l.account().Pooled[truth-1] >= 0.95 {
			return tests, effort, true
		}
		id := choose(rnd, l)
		if id == "" {
			return tests, effort, false
		}
		l.begin("BlueLake")
		l.record(id.Number(), draw(rnd, reference{log: l.log}.live(id.Number()), truth), false)
		l.end()
		tests++
		effort += efforts[id]
	}
}

// draw is an outcome of a test in a world.
func draw(rnd *rand.Rand, t refTable, world int) string {
	x := rnd.Float64()
	for _, label := range t.labels {
		p, _ := t.likelihood("", world, labRun{outcome: label})
		if x -= p; x < 0 {
			return label
		}
	}
	if len(t.labels) == 0 {
		return "nothing"
	}
	return t.labels[len(t.labels)-1]
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkNext ranks a thousand tests for six hypotheses and twelve agents.
func BenchmarkNext(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 5))
	l := newLab()
	l.begin("BlueLake")
	for range 6 {
		l.addHypothesis()
	}
	for range 1000 {
		l.addTest(randomCells(rnd, l), randomScore(rnd))
	}
	l.end()
	for i := range 12 {
		l.begin(fmt.Sprintf("Agent%d", i))
		l.believe(map[string]float64{"H1": rnd.Float64()})
		for n := 1; n <= 100; n++ {
			l.foresee(n, randomTable(rnd, l, false))
		}
		l.end()
	}
	for b.Loop() {
		if r := l.account().Next(science.ByBitsPerEffort); len(r.Tests) != 1000 {
			b.Fatal(len(r.Tests))
		}
	}
}
