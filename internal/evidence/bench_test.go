package evidence_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"brenner/internal/evidence"
)

// BenchmarkCheck checks a thousand quotes, a tenth of them false, against a source of 10 MB. The ratio
// compares it with reading the source once.
func BenchmarkCheck(b *testing.B) {
	text := largeText(10 << 20)
	quotes := quotesOf(text, 1000)
	src := source("EV-001", text)
	l := library(src)
	found := 0
	for b.Loop() {
		found = 0
		for _, c := range l.CheckQuotes(quotes) {
			if c.Verdict == evidence.Found {
				found++
			}
		}
	}
	if found < 880 || found > 920 {
		b.Fatalf("%d of 1000 quotes were found", found)
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(readOnce(text)), "check/read")
}

func largeText(size int) string {
	rnd := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for b.Len() < size {
		for range 12 {
			fmt.Fprintf(&b, "%s ", randomWord(rnd))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// randomWord draws words as a language does: few are common.
func randomWord(rnd *rand.Rand) string {
	n := int(rnd.ExpFloat64() * 400)
	var b strings.Builder
	for n++; n > 0; n /= 17 {
		b.WriteString([]string{"ka", "lo", "mi", "se", "ter", "un", "por", "da", "li", "be", "con", "ra", "ni", "sto", "ve", "hu",
			"o"}[n%17])
	}
	return b.String()
}

func quotesOf(text string, n int) []evidence.Quote {
	rnd := rand.New(rand.NewPCG(5, 6))
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for i := range n {
		words := strings.Fields(lines[rnd.IntN(len(lines)-1)])
		if i%10 == 0 {
			words[6] = "elephant"
		}
		fmt.Fprintf(&b, "\"%s\" (EV-001)\n\n", strings.Join(words[2:10], " "))
	}
	return evidence.Quotes(b.String())
}
