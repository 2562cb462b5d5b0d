package evidence_test

import (
	"strings"
	"testing"
	"unicode"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/textnorm"
)

func TestBothSidesAreNormalised(t *testing.T) {
	for _, c := range []struct {
		source, quote string
		found         bool
	}{
		{"The experi-\nment went well.", "The experiment went well", true},
		{"The experi-\nment went well.", "The experi-ment went well", true},
		{"The experi-\nment went well.", "The experi- ment went well", true},
		{"The experiment went well.", "The experi-\nment went well", true},
		{"A well-known old fact.", "A wellknown old fact", false},
		{"A well-known old fact.", "A well-\nknown old fact", true},
		{"A pre- and post-war fact.", "A pre-\nand post-war fact", true},
		{"from 10-\n15 cells here", "from 1015 cells here", true},
		{"pre-\n“it’s” A don't", "'it's' A don't", true},
		{"pre-“it’s” A don't", "“it’s” A don't", true},
		{"ﬁrst ﬂow of ofﬁce", "first flow of office", true},
		{"“It’s” a ‘thing’ here", `"It's" a "thing" here`, true},
		{"one – two — three", "one - two - three", true},
		{"one--two three four", "one—two three four", true},
		{"so\u00adft hy\u200bphens go away", "soft hyphens go away", true},
		{"e\u0301tude of the cells", "étude of the cells", true},
		{"the *very* `best` _cells_ here", "the very best cells here", true},
		{"Cells keep their fate when moved late.", "Cells … moved late", true},
		{"Cells keep their fate when moved late.", "moved late . . . Cells keep", false},
		{"Cells keep their fate when moved late.", "Cells keep [...] when moved", true},
		{"Cells keep their fat when moved.", "keep their fat [sic] when moved", true},
		{"Cells keep their fat [sic], when moved.", "keep their fat, when moved", true},
		{"Cells keep [all] their fate.", "Cells keep their fate", false},
		{"Cells keep their fate.", "Cells [always] keep their fate", false},
		{"Cells keep their fate.", "cells keep their fate", false},
		{"Cells keep their fates.", "Cells keep their fate", false},
		{"Cells, keep their fate", "Cells keep their fate", false},
		{"Cells keep their fate", "“Cells keep their fate!”", true},
		{"They don't keep their fate", "They don", false},
		{"They had 1.5 cells of it", "5 cells of it", false},
		{"the non-toxic kind of it", "toxic kind of it", true},
		{"細胞は遅く移されると\n運命を保つ。", "遅く移されると 運命を保つ", true},
		{"細胞は遅く移されると運命を保つ。", "遅く移されると運命を失う", false},
		{"الخلايا تحتفظ بمصيرها عند النقل", "الخلايا تحتفظ بمصيرها", true},
		{"a\u00a0b   c\td e", "b c d", true},
	} {
		got := evidence.NewText(c.source, evidence.Written).Find([]evidence.Query{{Pattern: evidence.NewPattern(c.quote)}})[0]
		if got.Found != c.found {
			t.Errorf("%q in %q: found is %v", c.quote, c.source, got.Found)
		}
	}
}

// SCIENCE 1, the same text: numbers cannot be bent, and what may differ may.
func TestTheSameText(t *testing.T) {
	for _, c := range []struct {
		source, quote string
		origin        evidence.Origin
		found         bool
	}{
		// Powers, however they are raised.
		{"grew to 10⁵ cells per ml", "grew to 10^5 cells", evidence.Written, true},
		{"grew to 10^5 cells per ml", "grew to 10<sup>5</sup> cells", evidence.Written, true},
		{"grew to 10<sup>5</sup> cells per ml", "grew to 10⁵ cells", evidence.Written, true},
		{"grew to 10⁻⁵ cells per ml", "grew to 10^-5 cells", evidence.Written, true},
		{"grew to 10⁵ cells per ml", "grew to 105 cells", evidence.Written, false},
		{"grew to 105 cells per ml", "grew to 10⁵ cells", evidence.Written, false},
		{"grew to 105 cells per ml", "grew to 10⁵ cells", evidence.Extracted, true},
		{"grew to 10-5 cells per ml", "grew to 10⁻⁵ cells", evidence.Extracted, true},
		{"grew to 10⁵ cells per ml", "grew to 105 cells", evidence.Extracted, false},
		{"grew to 10⁵ cells per ml", "grew to 10⁶ cells", evidence.Extracted, false},
		{"10⁵ cells grew here", "10⁵ cells grew", evidence.Written, true},
		{"105 cells grew here", "10⁵ cells grew", evidence.Extracted, true},
		{"the sum (a + b)² is large", "sum (a + b)^2 is", evidence.Written, true},
		{"the sum (a + b)² is large", "sum (a + b)2 is", evidence.Written, false},
		// Subscripts fold.
		{"some CO₂ was lost here", "some CO2 was lost", evidence.Written, true},
		{"some CO<sub>2</sub> was lost here", "some CO2 was lost", evidence.Written, true},
		// Reference marks and ions behind a letter or a point.
		{"it was found¹² that cells live", "it was found that cells", evidence.Written, true},
		{"it was found¹² that cells live", "it was found12 that cells", evidence.Written, true},
		{"it was found¹² that cells live", "it was found¹² that cells", evidence.Written, true},
		{"it was found¹² that cells live", "it was found¹³ that cells", evidence.Written, false},
		{"it was found.¹,² That cells live", "was found. That cells", evidence.Written, true},
		{"the Ca²⁺ levels rise quickly", "the Ca2+ levels rise", evidence.Written, true},
		{"the Ca²⁺ levels rise quickly", "the Ca levels rise", evidence.Written, true},
		{"the Ca2+ levels rise quickly", "the Ca²⁺ levels rise", evidence.Written, true},
		{"Ca²⁺-dependent levels rise quickly", "Ca2+-dependent levels rise", evidence.Written, true},
		{"it was found [12, 13] that cells live", "it was found that cells", evidence.Written, true},
		{"it was found [12] that cells live", "it was found [12] that cells", evidence.Written, true},
		{"it was found that cells live", "it was found [12] that cells", evidence.Written, false},
		{"it was found [all] that cells live", "it was found that cells", evidence.Written, false},
		// Signs and unit signs belong to numbers.
		{"at −5 °C for a day", "at -5°C for a day", evidence.Written, true},
		{"at −5 °C for a day", "at 5 °C for a day", evidence.Written, false},
		{"at −5 °C for a day", "5 °C for a day", evidence.Written, false},
		{"at − 5 °C for a day", "at -5 °C for a day", evidence.Written, true},
		{"at − 5 °C for a day", "−5 °C for a day", evidence.Written, true},
		{"at − 5 °C for a day", "5 °C for a day", evidence.Written, false},
		{"is 7 − 5 in all of it", "5 in all of it", evidence.Written, true},
		{"at 5 °C for a day", "at −5 °C for a day", evidence.Written, false},
		{"died in 5 % of all cases", "died in 5% of all", evidence.Written, true},
		{"died in 5 % of all cases", "died in 5 of all", evidence.Written, false},
		{"they died in 5 % of all cases", "they died in 5", evidence.Written, false},
		{"found p < 0.05 in each case", "found p<0.05 in each", evidence.Written, true},
		{"found p < 0.05 in each case", "found p > 0.05 in each", evidence.Written, false},
		{"found p < 0.05 in each case", "0.05 in each case", evidence.Written, false},
		{"was 6.5 ± 0.4 min in all", "was 6.5 ±0.4 min in", evidence.Written, true},
		{"was ~300 cells in all", "was 300 cells in all", evidence.Written, false},
		{"from 1.5 to 10,000 cells", "from 1.5 to 10,000", evidence.Written, true},
		{"from 1.5 to 10,000 cells", "5 to 10,000 cells", evidence.Written, false},
		{"from 1.5 to 10,000 cells", "from 1.5 to 10", evidence.Written, false},
		{"temperatures – 5 of them – were low", "5 of them – were low", evidence.Written, true},
		{"in rows 10–15 of it", "in rows 10-15 of it", evidence.Written, true},
		// Hyphens.
		{"the experi-\nment went well", "the experiment went well", evidence.Written, true},
		{"the experi-\nment went well", "the experi-ment went well", evidence.Written, true},
		{"experi-\nment went well here", "experiment went well", evidence.Written, true},
		{"a well-known old fact", "a wellknown old fact", evidence.Extracted, false},
		{"a wellknown old fact", "a well-known old fact", evidence.Extracted, true},
		{"a wellknown old fact", "a well-known old fact", evidence.Written, false},
		{"wellknown old facts here", "well-known old facts", evidence.Extracted, true},
		// Emphasis.
		{"the **very** best cells here", "the very best cells", evidence.Written, true},
		{"the very best cells here", "the *very best* cells", evidence.Written, true},
		{"the snake_case_name is here", "the snakecasename is here", evidence.Written, false},
		{"the snake_case_name is here", "the snake_case_name is", evidence.Written, true},
		{"take 5*3 and 2*4 cells", "take 5*3 and 2*4", evidence.Written, true},
		{"take 5*3 and 2*4 cells", "take 53 and 24", evidence.Written, false},
		// Case, brackets.
		{"and the cells keep their fate", "[T]he cells keep", evidence.Written, true},
		{"The cells keep their fate", "[t]he cells keep", evidence.Written, true},
		{"and a cell keeps its fate", "[A] cell keeps", evidence.Written, true},
		{"and one cell keeps its fate", "one cell[s] keeps its", evidence.Written, false},
		{"and the cells keep their fate", "The cells keep", evidence.Written, false},
		{"they keeps their fate here", "they keeps [sic] their fate", evidence.Written, true},
		// Scripts without spaces: every letter is an edge.
		{"細胞は遅く移されると運命を保つ。", "遅く移されると運命", evidence.Written, true},
		{"细胞在晚期移植时保持其命运", "晚期移植时保持其命运", evidence.Written, true},
		{"温度は10⁵倍になったという", "10^5倍になったという", evidence.Written, true},
	} {
		got := evidence.NewText(c.source, c.origin).Find([]evidence.Query{{Pattern: evidence.NewPattern(c.quote)}})[0]
		if got.Found != c.found {
			t.Errorf("%q in %q (%d): found is %v", c.quote, c.source, c.origin, got.Found)
		}
	}
}

// words writes so many words.
func words(n int) string { return strings.TrimSpace(strings.Repeat("so ", n)) }

// SCIENCE 1, ellipses: their limits, and the negations they leave out.
func TestEllipses(t *testing.T) {
	long := func(n int) string { return "Cells keep their fate " + words(n) + " when they are moved late." }
	for _, c := range []struct {
		source, quote string
		origin        evidence.Origin
		verdict       evidence.Verdict
		left          string
	}{
		{long(60), "Cells keep their fate … when they are moved", evidence.Written, evidence.Found, ""},
		{long(61), "Cells keep their fate … when they are moved", evidence.Written, evidence.NotFound, ""},
		{long(9), "keep their fate [...] when they are", evidence.Written, evidence.Found, ""},
		{long(9), "keep their fate . . . when they are", evidence.Written, evidence.Found, ""},
		{long(9), "keep their fate (…) when they are", evidence.Written, evidence.Found, ""},
		{long(9), "their fate … moved late", evidence.Written, evidence.Found, ""},
		{long(9), "fate … they are moved", evidence.Written, evidence.NotFound, ""},
		{long(9), "Cells keep … their fate … are moved", evidence.Written, evidence.NotFound, ""},
		{long(9), "… keep their fate …", evidence.Written, evidence.Found, ""},
		{"They are moved late. " + long(9), "are moved late … keep their fate", evidence.Written, evidence.Found, ""},
		{long(9), "they are moved … keep their fate", evidence.Written, evidence.NotFound, ""},
		{"Cells keep their fate.\n\nThey are moved late.", "Cells keep their … are moved late", evidence.Written, evidence.NotFound, ""},
		{"Cells keep their fate.\n\nThey are moved late.", "Cells keep their … are moved late", evidence.Extracted, evidence.Found, ""},
		{"Cells keep their fate.\n\n\fThey are moved late.", "Cells keep their … are moved late", evidence.Extracted, evidence.NotFound,
			""},
		{"Cells keep their fate … mostly.", "keep their fate … mostly", evidence.Written, evidence.Found, ""},
		{"Cells do not keep their fate when moved.", "Cells do … keep their fate", evidence.Written, evidence.Found, "not"},
		{"Cells don't, we think, keep their fate when moved.", "Cells … keep their fate", evidence.Written, evidence.NotFound, ""},
		{"The cells, it is said, never, keep their fate.", "The cells … keep their fate", evidence.Written, evidence.Found, ""},
		{"The cells of one kind can hardly keep their fate.", "The cells … keep their fate", evidence.Written, evidence.Found, "hardly"},
		{"The cells of it didn’t ever so much keep their fate.", "The cells … keep their fate", evidence.Written, evidence.Found, "didn't"},
		{"The cells a b c no d e f keep their fate.", "The cells … keep their fate", evidence.Written, evidence.Found, ""},
		{"The cells do not keep their fate, not now.", "The cells … keep their fate, not now", evidence.Written, evidence.Found, ""},
		// Of several ways the one that leaves out least counts.
		{"The cells do not keep their fate. The cells now keep their fate.", "The cells … keep their fate", evidence.Written,
			evidence.Found, ""},
	} {
		l := library(&evidence.Source{ID: "EV-001", Open: func() evidence.Content {
			return evidence.Content{Text: evidence.NewText(c.source, c.origin)}
		}})
		got := l.CheckQuotes([]evidence.Quote{evidence.QuoteOf(c.quote, artifact.Citation{Evidence: "EV-001"})})[0]
		if got.Verdict != c.verdict || got.Left != c.left || got.Verdict == evidence.NotFound && got.Fix == "" {
			t.Errorf("%q in %.80q: %d, left %q, fix %q", c.quote, c.source, got.Verdict, got.Left, got.Fix)
		}
	}
}

// What is taken for its own normal form is.
func TestStableLetters(t *testing.T) {
	for r := rune(0x80); r < 0xa000; r++ {
		letter := string(r)
		if unicode.IsLetter(r) && !evidence.Same(letter+letter, textnorm.NFKC(letter+letter)) {
			t.Errorf("%q is not read as %q", letter, textnorm.NFKC(letter))
		}
	}
}
