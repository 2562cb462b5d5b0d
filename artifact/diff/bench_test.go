package diff_test

import (
	"math"
	"testing"
	"time"

	"brenner/artifact"
	"brenner/artifact/diff"
)

// grown returns an artifact with n tests, and one with every other test edited.
func grown(n int) (a, b *artifact.Artifact) {
	a, b = artifact.New(), artifact.New()
	for i := range n {
		it := artifact.NewItem(artifact.NewItemID(artifact.DiscriminativeTests, i+1), artifact.DiscriminativeTests)
		it.Set(artifact.Name, artifact.Text("a test"))
		it.Set(artifact.ExpectedOutcomes, artifact.NewMap(artifact.Pair{Key: "H1", Text: "up"}, artifact.Pair{Key: "H2", Text: "down"}))
		a.Add(it)
		edited := it.Clone()
		if i%2 == 0 {
			edited.Set(artifact.ExpectedOutcomes, artifact.NewMap(artifact.Pair{Key: "H1", Text: "up"}, artifact.Pair{Key: "H2", Text: "same"}))
		}
		b.Add(edited)
	}
	return a, b
}

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

// BenchmarkBetween reports how the time grows when the artifact is ten times as large.
func BenchmarkBetween(b *testing.B) {
	const small, large = 1_000, 10_000
	x, y := grown(large)
	for b.Loop() {
		diff.Apply(x, diff.Between(x, y))
	}
	sx, sy := grown(small)
	s := fastest(50, func() { diff.Apply(sx, diff.Between(sx, sy)) })
	l := fastest(20, func() { diff.Apply(x, diff.Between(x, y)) })
	b.ReportMetric(float64(l)/float64(s), "growth-x10")
}
