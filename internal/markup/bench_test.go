package markup

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// hostile are texts made to be slow; each takes a size in bytes, roughly.
var hostile = map[string]func(n int) string{
	"Backticks":             func(n int) string { return strings.Repeat("`", n) },
	"UnclosedFences":        func(n int) string { return strings.Repeat("```delta\n", n/9) },
	"UnclosedTildesInItems": func(n int) string { return strings.Repeat("- ~~~ a\n", n/8) },
	"Brackets":              func(n int) string { return strings.Repeat("[", n) },
	"NestedItems":           func(n int) string { return strings.Repeat("- ", n/2) },
	"NestedItemsThenBlank":  func(n int) string { return strings.Repeat("- ", n/4) + "a" + strings.Repeat("\n", n/2) },
	"NestedItemsThenIndent": func(n int) string { return strings.Repeat("- ", n/10) + "a\n" + indented(n) },
	"NestedQuotesThenBlank": func(n int) string { return strings.Repeat("> ", n/4) + "a" + strings.Repeat("\n", n/2) },
	"NestedQuotesThenLazy":  func(n int) string { return strings.Repeat(">", n/2) + "a\n" + strings.Repeat("b\n", n/4) },
	"QuotedItemsThenBlank":  func(n int) string { return strings.Repeat("> - ", n/8) + "a\n" + strings.Repeat(">\n", n/4) },
	"StarItems":             func(n int) string { return strings.Repeat("* ", n/2) + "a" },
	"Tabs":                  func(n int) string { return strings.Repeat(">\t", n/2) + "a\n" },
	"Definitions":           func(n int) string { return strings.Repeat("[a]: b\n", n/7) + "===\n" },
	"DefinitionsUnderlined": func(n int) string { return strings.Repeat("[a]: b\n===\n", n/11) },
	"OpenTitles":            func(n int) string { return strings.Repeat("[a]: b\n'", n/8) + "\n===\n" },
	"OpenTags":              func(n int) string { return strings.Repeat("<a b='\n", n/7) },
	"CarriageReturns":       func(n int) string { return strings.Repeat("a\r", n/2) },
	"LongParagraph":         func(n int) string { return strings.Repeat("a b c\n", n/6) },
}

// indented gives some lines indented by a tenth of the size, as many as fit.
func indented(n int) string { return strings.Repeat(strings.Repeat(" ", n/5)+"b\n", 4) }

// BenchmarkHostile reports growth: how many times longer ten times the text takes. Linear is
// 10; more than 13 is a defect.
func BenchmarkHostile(b *testing.B) {
	const size = 200_000
	for name, text := range hostile {
		b.Run(name, func(b *testing.B) {
			small, large := text(size/10), text(size)
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				Parse(large)
			}
			b.ReportMetric(best(large)/best(small), "growth")
		})
	}
}

// best returns the seconds that parsing takes at its quickest, on a clean heap.
func best(text string) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	quickest := time.Hour
	for range 15 {
		runtime.GC()
		start := time.Now()
		Parse(text)
		quickest = min(quickest, time.Since(start))
	}
	return quickest.Seconds()
}

// BenchmarkParse parses an ordinary message.
func BenchmarkParse(b *testing.B) {
	block := "## Deltas\n\nSome prose about it.\n\n```delta\n{\n  \"operation\": \"ADD\",\n  \"section\": \"hypothesis_slate\"\n}\n```\n\n"
	message := "# Contribution\n\n" + strings.Repeat(block, 100)
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(message)
	}
}
