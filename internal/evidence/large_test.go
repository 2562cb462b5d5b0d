package evidence_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"brenner/internal/evidence"
)

// readOnce reads a text as a search does that looks for nothing in it: what a check is compared with.
func readOnce(text string) time.Duration {
	start := time.Now()
	evidence.NewText(text, evidence.Written).Find([]evidence.Query{{Pattern: evidence.NewPattern("\x7fnowhere \x7fat \x7fall")}})
	return time.Since(start)
}

// BenchmarkMisquoteOfALargeSource checks one misquote of a source of 60 MiB whose nearest passage is at its end. The ratio
// compares that with reading the source once; heap is what it allocates beyond the source, in MiB.
func BenchmarkMisquoteOfALargeSource(b *testing.B) {
	text := largeText(60<<20) + "\nThe cells that were moved late keep their fate.\n"
	l := library(&evidence.Source{ID: "EV-001", Open: func() evidence.Content {
		return evidence.Content{Text: evidence.NewText(text, evidence.Written)}
	}})
	quotes := evidence.Quotes(`"The cells that were moved late lose their fate" (EV-001)`)
	once := readOnce(text)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		c := l.CheckQuotes(quotes)[0]
		if c.Verdict != evidence.NotFound || !strings.Contains(c.Fix, `"lose", where the source has "keep"`) {
			b.Fatalf("%+v", c.Fix)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(once), "check/read")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/(1<<20), "heap-MiB")
	b.ReportMetric(60/once.Seconds(), "read-MiB/s")
}

// A search in a large text allocates no more than in a small one, whatever the text is made of.
func TestMemoryDoesNotGrowWithTheText(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what is in use is little more than what is needed
	for name, part := range map[string]string{
		"words": "Cells keep their fate when moved late, and lose it when moved early. ", "ligatures": "ﬁrst ﷺ ", "letters": "細胞は運命を保つ。",
		"emphasis": "*a* _b_ `c` ", "marks": "e\u0301\u0301 ", "one word": "abcdefgh", "numbers": "−5 % 10⁵ [12] ", "hyphens": "a-\nb-\n",
	} {
		text := strings.Repeat(part, 1<<20/len(part))
		l := library(&evidence.Source{ID: "EV-001", Open: func() evidence.Content {
			return evidence.Content{Text: evidence.NewText(text, evidence.Written)}
		}})
		quotes := evidence.Quotes(`"Cells keep their fates when first a b c" (EV-001)`)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		l.CheckQuotes(quotes)
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 16<<20 {
			t.Errorf("%s: %s more in use", name, fmt.Sprint(grown>>20, " MiB"))
		}
	}
}

// Quotations that are made to be tried in vain do not make a check slow: it gives them up. What that takes is compared with
// as many quotations that nobody made with care.
func TestHostileQuotations(t *testing.T) {
	const text, others = "a b a a b b ", "Cells keep their fate when moved "
	l := library(source("EV-001", strings.Repeat(text, 1<<16)), source("EV-002", largeText(len(text)<<16)))
	check := func(source, words string) ([]evidence.Checked, time.Duration) {
		var b strings.Builder
		for i := range 500 {
			fmt.Fprintf(&b, "\"%s x%d\" (%s)\n\n", strings.Repeat(words, 20), i, source)
		}
		start := time.Now()
		checked := l.CheckQuotes(evidence.Quotes(b.String()))
		return checked, time.Since(start)
	}
	_, plain := check("EV-002", others)
	checked, took := check("EV-001", text)
	t.Logf("hostile %s, others %s", took, plain)
	if took > 200*plain {
		t.Errorf("it took %s, others %s", took, plain)
	}
	for _, c := range checked {
		if c.Verdict == evidence.Found {
			t.Fatalf("%s was found", c.Text)
		}
	}
}
