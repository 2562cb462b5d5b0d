package genealogy_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
)

// growth compares ten times the work done at once with ten times the same small work: 10 is
// linear. Both sides do the same amount in total, so that both pay for collecting garbage.
func growth(rounds int, small, large func()) float64 {
	var s, l time.Duration
	for range rounds {
		start := time.Now()
		for range 10 {
			small()
		}
		s += time.Since(start)
		start = time.Now()
		large()
		l += time.Since(start)
	}
	return 10 * float64(l) / float64(s)
}

// tangled draws references to recent items, as sessions make them: leaps across the whole
// project would measure the machine's caches. A few close cycles if that is asked for.
func tangled(n int, circular bool) []genealogy.Session {
	r := rand.New(rand.NewPCG(1, 2))
	var list []ref
	for i := 1; i < n; i++ {
		list = append(list, ref{i, max(0, i-1-r.IntN(20)), i}, ref{i, max(0, i-1-r.IntN(200)), n + i})
	}
	if circular {
		for i := range 20 {
			list = append(list, ref{r.IntN(n), r.IntN(n), 2*n + i})
		}
	}
	return project(n, list)
}

func benchmark(b *testing.B, small, large []genealogy.Session) {
	for b.Loop() {
		genealogy.Build(large)
	}
	b.ReportMetric(growth(10, func() { genealogy.Build(small) }, func() { genealogy.Build(large) }), "growth-x10")
}

func BenchmarkBuild(b *testing.B) { benchmark(b, tangled(2_000, false), tangled(20_000, false)) }

func BenchmarkBuildWithCycles(b *testing.B) {
	benchmark(b, tangled(2_000, true), tangled(20_000, true))
}

func BenchmarkSVG1000(b *testing.B) {
	g := genealogy.Build(tangled(1_000, false))
	for b.Loop() {
		draw.SVG(g)
	}
}

func BenchmarkTree(b *testing.B) {
	g := genealogy.Build(tangled(20_000, false))
	for b.Loop() {
		draw.Tree(g)
	}
}
