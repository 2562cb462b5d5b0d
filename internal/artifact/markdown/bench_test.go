package markdown

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"brenner/internal/artifact"
)

// manyItems makes a document with n items in each of the sections that can have so many.
func manyItems(n int) artifact.Document {
	a := artifact.New()
	a.Thread.Set(artifact.Statement, artifact.Text("What costs time?"))
	for i := 1; i <= 6; i++ {
		a.Add(newItem(artifact.HypothesisSlate, i, map[string]artifact.Value{artifact.Name: artifact.Text("one of six")}))
	}
	outcomes := artifact.NewMap(artifact.Pair{Key: "H1", Text: "rises with `n`"}, artifact.Pair{Key: "H2", Text: "falls"},
		artifact.Pair{Key: "H3", Text: "stays"})
	for i := 1; i <= n; i++ {
		a.Add(newItem(artifact.PredictionsTable, i, map[string]artifact.Value{
			artifact.Condition: artifact.Text(fmt.Sprintf("condition %d | of many", i)), artifact.Predictions: outcomes,
		}))
		a.Add(newItem(artifact.DiscriminativeTests, i, map[string]artifact.Value{
			artifact.Name: artifact.Text(fmt.Sprintf("test %d", i)), artifact.Procedure: artifact.Text("1. first\n2. second\n\nThen wait."),
			artifact.ExpectedOutcomes: outcomes, artifact.PotencyCheck: artifact.Text("a control that must move by 10 % or more"),
			artifact.ScoreField: artifact.NewScore(artifact.Part{Name: "cost", Number: "2"},
				artifact.Part{Name: "speed", Number: strconv.Itoa(i % 4)}),
		}))
		a.Add(newItem(artifact.AssumptionLedger, i, map[string]artifact.Value{
			artifact.Name: artifact.Text(fmt.Sprintf("assumption %d", i)), artifact.Statement: artifact.Text("it holds & <lasts>"),
			artifact.Status: artifact.Text("unchecked"),
		}))
	}
	return artifact.Document{Artifact: a}
}

// fastest returns the best of several runs, which other work on the machine disturbs least.
func fastest(runs int, f func()) float64 {
	best := math.Inf(1)
	for range runs {
		runtime.GC()
		start := clock()
		f()
		best = min(best, float64(clock()-start))
	}
	return best
}

// grow measures f on the large input, and how many times longer it takes than the small one,
// which is a tenth: 10 is linear, 13 is the limit.
func grow[T any](b *testing.B, small, large T, f func(T)) {
	b.Helper()
	for b.Loop() {
		f(large)
	}
	b.ReportMetric(fastest(10, func() { f(large) })/fastest(30, func() { f(small) }), "growth-x10")
}

func BenchmarkRender10000(b *testing.B) {
	large := manyItems(10_000)
	b.SetBytes(int64(len(Render(large))))
	grow(b, manyItems(1_000), large, func(doc artifact.Document) { Render(doc) })
}

func BenchmarkParse10000(b *testing.B) {
	large := Render(manyItems(10_000))
	b.SetBytes(int64(len(large)))
	grow(b, Render(manyItems(1_000)), large, func(text string) { Parse(text) })
}

func BenchmarkHTML1000(b *testing.B) {
	grow(b, manyItems(100), manyItems(1_000), func(doc artifact.Document) { HTML(doc) })
}

// BenchmarkHostile reads texts that are made to be slow.
func BenchmarkHostile(b *testing.B) {
	shapes := map[string]func(n int) string{
		"backticks": func(n int) string {
			var s strings.Builder
			for i := 1; s.Len() < n; i++ {
				s.WriteString(strings.Repeat("`", i) + " ")
			}
			return "## 1. Research Thread\n**Statement**: " + s.String()
		},
		"fences": func(n int) string {
			var s strings.Builder
			for i := 2000; s.Len() < n; i-- {
				s.WriteString(strings.Repeat("`", max(3, i)) + "x\n")
			}
			return "## 1. Research Thread\n**Statement**:\n" + s.String()
		},
		"backslashes": func(n int) string { return "## 1. Research Thread\n**Statement**: " + strings.Repeat(`\`, n) + "&lt;" },
		"references":  func(n int) string { return "## 1. Research Thread\n**Statement**: " + strings.Repeat("&#", n/2) },
		"brackets":    func(n int) string { return "## 1. Research Thread\n**Anchors**: " + strings.Repeat("[,", n/2) },
		"links":       func(n int) string { return "## 1. Research Thread\n**Statement**: " + strings.Repeat("](", n/2) },
		"headings":    func(n int) string { return "## 2. Hypothesis Slate\n" + strings.Repeat("### H999999999\n", n/15) },
		"bad ids": func(n int) string {
			return "## 2. Hypothesis Slate\n### H999999999\n" + strings.Repeat("### Hx: y\n", n/10)
		},
		"columns": func(n int) string {
			return "## 3. Predictions Table\n|ID|Condition|" + strings.Repeat("x|", n/4) + "\n|-|\n" + strings.Repeat("|P1|c|\n", n/16)
		},
		"columns of rows": func(n int) string {
			var s strings.Builder
			for i := 1; s.Len() < n; i++ {
				fmt.Fprintf(&s, "### P%d\n**Predictions**:\n- k%d: x\n", i, i)
			}
			return "## 3. Predictions Table\n" + s.String()
		},
		"labels": func(n int) string { return "## 2. Hypothesis Slate\n### H1\n" + strings.Repeat("**A**:\n", n/7) },
		"bullets": func(n int) string {
			return "## 4. Discriminative Tests\n### T1\n**Expected outcomes**:\n" + strings.Repeat("- a\n", n/4)
		},
		"extras": func(n int) string {
			var s strings.Builder
			for i := 1; s.Len() < n; i++ {
				fmt.Fprintf(&s, "**L%d**: x\n", i)
			}
			return "## 2. Hypothesis Slate\n### H1\n" + s.String()
		},
	}
	for name, shape := range shapes {
		b.Run(name, func(b *testing.B) {
			grow(b, shape(100_000), shape(1_000_000), func(text string) {
				doc, _, _ := Parse(text)
				Render(doc)
			})
		})
	}
}
