package evidence_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/evidence"
)

var (
	anyWord = rapid.OneOf(
		rapid.StringMatching(`[A-Za-z]{1,9}[.,;:!?]?`),
		rapid.StringMatching(`[a-z]{1,6}-[a-z]{1,6}`),
		rapid.SampledFrom([]string{"“it’s”", "don't", "1,248", "87.5", "%", "–", "—", "pre-", "(see)", "[all]", "*very*", "_so_", "`x`",
			"ﬁrst", "étude", "e\u0301t", "細胞は", "運命", "الخلايا", "…", "...", "a\u00adb", "[sic]", "''", "--", "-", "x--y"}),
	)
	separator = rapid.SampledFrom([]string{" ", "\n", "  ", "\t", "\r\n", " \n ", "\u00a0"})
)

// Any substring of a source with at least three words is found after its lines were wrapped anew and
// its quotation marks and dashes typed in another way.
func TestSubstringsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(anyWord, 3, 40).Draw(t, "words")
		text := joined(t, words)
		n := rapid.IntRange(3, len(words)).Draw(t, "length")
		start := rapid.IntRange(0, len(words)-n).Draw(t, "start")
		quote := retype(t, joined(t, words[start:start+n]))
		p := evidence.NewPattern(quote)
		cutsPercent := start+n < len(words) && words[start+n] == "%" // the sign belongs to the number before it (SCIENCE 1)
		if !p.Long() || cutsPercent {
			return
		}
		if !evidence.NewText(text, evidence.Written).Find([]evidence.Query{{Pattern: p}})[0].Found {
			t.Fatalf("%q is not found in %q", quote, text)
		}
	})
}

func joined(t *rapid.T, words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(separator.Draw(t, "separator"))
		}
		b.WriteString(w)
	}
	return b.String()
}

func retype(t *rapid.T, quote string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("'’‘“”", r):
			return rapid.SampledFrom([]rune("'’‘“”\"«")).Draw(t, "mark")
		case strings.ContainsRune("-–—", r):
			return rapid.SampledFrom([]rune("-–—‐−")).Draw(t, "dash")
		}
		return r
	}, quote)
}

// Nothing panics on any bytes, and what is found is in the text it was found in.
func FuzzQuotes(f *testing.F) {
	f.Add("\"cells keep their fate\" (EV-001)", "Cells keep their fate.")
	f.Add("> “a b c” … [sic] (§1-2)\n`x` <b>", "a b-\nc…")
	f.Add("\"細胞は運命を保つ\" （EV-001#E1）", "細胞は\n運命を保つ")
	f.Add("“0 0 0\" 0", "0")
	f.Fuzz(func(t *testing.T, text, src string) {
		for _, q := range evidence.Quotes(text) {
			if q.Offset < 0 || q.Offset > len(text) || (len(q.Citations) == 0) != (q.Bond == evidence.Uncited) {
				t.Fatalf("quote %+v", q)
			}
		}
		l := library(source("EV-001", src, evidence.Excerpt{ID: "E1", Text: src, From: 1, To: 1}))
		for _, c := range l.CheckQuotes(evidence.Quotes(text)) {
			if c.Verdict == evidence.NotFound && c.Fix == "" {
				t.Fatalf("%q has no fix", c.Text)
			}
		}
	})
}
