package genealogy_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"brenner/genealogy"
)

// fastest returns the best of several runs, which other work on the machine disturbs least.
func fastest(runs int, f func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range runs {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// tangled draws references; a few of them close cycles if that is asked for.
func tangled(n int, circular bool) []genealogy.Session {
	r := rand.New(rand.NewPCG(1, 2))
	var list []ref
	for i := 1; i < n; i++ {
		list = append(list, ref{i, max(0, i-1-r.IntN(20)), i}, ref{i, r.IntN(i), n + i})
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
	s := fastest(30, func() { genealogy.Build(small) })
	l := fastest(10, func() { genealogy.Build(large) })
	b.ReportMetric(float64(l)/float64(s), "growth-x10")
}

func BenchmarkBuild(b *testing.B) { benchmark(b, tangled(2_000, false), tangled(20_000, false)) }

func BenchmarkBuildWithCycles(b *testing.B) {
	benchmark(b, tangled(2_000, true), tangled(20_000, true))
}

func BenchmarkSVG1000(b *testing.B) {
	g := genealogy.Build(tangled(1_000, false))
	for b.Loop() {
		g.SVG()
	}
}

func BenchmarkTree(b *testing.B) {
	g := genealogy.Build(tangled(20_000, false))
	for b.Loop() {
		g.Tree()
	}
}
