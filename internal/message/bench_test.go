package message

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// BenchmarkCheck measures the door for the usual types, and how the time grows with the text
// (×10 the text may cost at most ×13).
func BenchmarkCheck(b *testing.B) {
	for _, name := range []string{"body-00-kickoff", "body-02-delta-example", "body-10-info"} {
		v := one(b, "testdata/specs/"+name+".txtar")
		b.Run(string(Check(v.draft, v.facts).Type), func(b *testing.B) {
			b.SetBytes(int64(len(v.draft.Body)))
			b.ReportAllocs()
			for b.Loop() {
				Check(v.draft, v.facts)
			}
		})
	}
}

// BenchmarkCheckGrowth reports the time of ten times the text over the time of the text, for
// texts that tempt a reader to go over them again and again.
func BenchmarkCheckGrowth(b *testing.B) {
	block := one(b, "testdata/specs/delta-02-add-hypothesis.txtar").draft.Body
	for name, part := range map[string]string{
		"deltas": block + "\n", "headings": "## Context\n", "labels": "- **Action**: Response to C1\n",
		"braces": "{ \"operation\": { ", "rows": "| a | b |\n", "quotes": "> > > ",
	} {
		b.Run(name, func(b *testing.B) {
			base := 100_000 / len(part)
			for b.Loop() {
				small, large := timeOf(part, base), timeOf(part, 10*base)
				b.ReportMetric(float64(large)/float64(small), "growth×10")
			}
		})
	}
}

func timeOf(part string, n int) time.Duration {
	body := "# T\n\n" + strings.Repeat(part, n)
	fastest := time.Hour
	for range 7 {
		runtime.GC()
		start := time.Now()
		Check(Draft{Subject: "DELTA[opus]: x", Body: body}, Facts{})
		fastest = min(fastest, time.Since(start))
	}
	return fastest
}

func BenchmarkRenderCompiled(b *testing.B) {
	c := sampleCompiled()
	for i := range 1000 {
		c.Changes.Added = append(c.Changes.Added, Change{fmt.Sprintf("H%d", i), "a hypothesis"})
	}
	c.Artifact = artifactText(3, strings.Repeat("text\n", 40<<10))
	b.SetBytes(int64(len(RenderCompiled(c))))
	for b.Loop() {
		RenderCompiled(c)
	}
}
