package lint_test

import (
	"math"
	"testing"
	"time"

	"brenner/artifact"
	"brenner/artifact/lint"
)

// grown returns an artifact with n items in each section but the slate.
func grown(n int) artifact.Document {
	a := artifact.New()
	fill := func(s artifact.Section, count int) {
		for i := range count {
			it := artifact.NewItem(artifact.NewItemID(s, i+1), s)
			for _, f := range s.Fields() {
				switch f.Kind {
				case artifact.KindText:
					it.Set(f.Name, artifact.Text("Cells of test T1 are moved, hypotheses H1 and H2 part (§12), and nobody knows why "+string(it.ID)))
				case artifact.KindMap:
					it.Set(f.Name, artifact.NewMap(artifact.Pair{Key: "H1", Text: "up"}, artifact.Pair{Key: "H2", Text: "down"}, artifact.Pair{Key: "H3", Text: "same"}))
				case artifact.KindList:
					it.Set(f.Name, artifact.List{"§12", "H1", "EV-001"})
				case artifact.KindReferences:
					it.Set(f.Name, artifact.References{{Session: "RS-20251228-earlier", Item: "H1", Relation: "extends"}})
				}
			}
			a.Add(it)
		}
	}
	fill(artifact.HypothesisSlate, 3)
	for _, s := range artifact.Sections()[2:] {
		fill(s, n)
	}
	return artifact.Document{Artifact: a, Metadata: artifact.Metadata{SessionID: "RS-20260110-cell-fate"}}
}

func fastest(runs int, f func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range runs {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// BenchmarkCheck lints 10,000 items a section and reports how that grew from 1,000.
func BenchmarkCheck(b *testing.B) {
	p := project()
	small := lint.Input{Document: grown(1_000), Project: p}
	large := lint.Input{Document: grown(10_000), Project: p}
	for b.Loop() {
		lint.Check(large)
	}
	s := fastest(10, func() { lint.Check(small) })
	l := fastest(4, func() { lint.Check(large) })
	b.ReportMetric(float64(l)/float64(s), "growth-x10")
}
