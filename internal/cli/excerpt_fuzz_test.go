package cli

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"brenner/internal/termtext"
)

func FuzzExcerpt(f *testing.F) {
	f.Add("{\"operation\": \"ADD\",}", 3, 40)
	f.Add("日本\t\x1b[2J\xff\u202e", 5, 20)
	f.Add(strings.Repeat("x", 300), 150, 30)
	f.Fuzz(func(t *testing.T, text string, column, fit int) {
		fit = min(max(fit, 20), 200)
		line, offset, ok := newSource(text).at(1, column)
		if !ok {
			t.Fatal("the first line is always there")
		}
		shown, before := excerpt(line, offset, fit)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			t.Errorf("%q would reach the terminal as %q", line, shown)
		}
		if n := termtext.Cells(shown); n > fit+2 {
			t.Errorf("takes %d cells of %d: %q", n, fit, shown)
		}
		if before > termtext.Cells(shown) {
			t.Errorf("the caret stands outside: %d in %q", before, shown)
		}
	})
}
