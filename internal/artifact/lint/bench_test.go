package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/evidence"
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
					it.Set(f.Name, artifact.Text("Cells of test T1 are moved, hypotheses H1 and H2 part (§12), and nobody knows why "+
						string(it.ID)))
				case artifact.KindMap:
					it.Set(f.Name, artifact.NewMap(artifact.Pair{Key: "H1", Text: "up"}, artifact.Pair{Key: "H2", Text: "down"},
						artifact.Pair{Key: "H3", Text: "same"}))
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

// BenchmarkCheck lints 10,000 items a section and reports how that grew from 1,000.
func BenchmarkCheck(b *testing.B) {
	p := project()
	small := lint.Input{Document: grown(1_000), Project: p}
	large := lint.Input{Document: grown(10_000), Project: p}
	for b.Loop() {
		lint.Check(large)
	}
	b.ReportMetric(growth(4, func() { lint.Check(small) }, func() { lint.Check(large) }), "growth-x10")
}

// BenchmarkLintWithEvidence compares lint of an artifact with quotes against a source of 1 MB with lint
// of the same artifact where there is no source. The text of the source is there already, as the pack
// remembers it.
func BenchmarkLintWithEvidence(b *testing.B) {
	text := strings.Repeat("Cells keep their fate when moved late, and lose it when moved early.\n", 15_000)
	normal := evidence.NewText(text, evidence.Written)
	source := &evidence.Source{ID: "EV-001", Indexed: true, Open: func() evidence.Content {
		return evidence.Content{Raw: text, Text: normal}
	}}
	with := &lint.Project{Library: &evidence.Library{Pack: &evidence.Pack{Sources: []*evidence.Source{source}}}}
	a := artifact.New()
	for i := range 500 {
		it := artifact.NewItem(artifact.NewItemID(artifact.AssumptionLedger, i+1), artifact.AssumptionLedger)
		it.Set(artifact.Name, artifact.Text(fmt.Sprintf("Assumption %d", i)))
		it.Set(artifact.Statement, artifact.Text("They \"lose it when moved early\" (EV-001)."))
		a.Add(it)
	}
	doc := artifact.Document{Artifact: a}
	judge := func(p *lint.Project) func() {
		return func() { lint.Check(lint.Input{Document: doc, Project: p}) }
	}
	for b.Loop() {
		judge(with)()
	}
	b.ReportMetric(growth(4, judge(nil), judge(with)), "with/without")
}
