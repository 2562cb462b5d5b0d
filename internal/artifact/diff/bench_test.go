package diff_test

import (
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"
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
			edited.Set(artifact.ExpectedOutcomes,
				artifact.NewMap(artifact.Pair{Key: "H1", Text: "up"}, artifact.Pair{Key: "H2", Text: "same"}))
		}
		b.Add(edited)
	}
	return a, b
}

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

// BenchmarkBetween reports how the time grows when the artifact is ten times as large.
func BenchmarkBetween(b *testing.B) {
	const small, large = 1_000, 10_000
	x, y := grown(large)
	for b.Loop() {
		diff.Apply(x, diff.Between(x, y))
	}
	sx, sy := grown(small)
	b.ReportMetric(growth(20,
		func() { diff.Apply(sx, diff.Between(sx, sy)) },
		func() { diff.Apply(x, diff.Between(x, y)) }), "growth-x10")
}
