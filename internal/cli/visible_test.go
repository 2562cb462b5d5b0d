package cli

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain":             "plain",
		"§42 → größer 日本 🧬": "§42 → größer 日本 🧬",
		"\x1b[31mred\x1b[m": `\x1b[31mred\x1b[m`,
		"\x9b31m":           `\x9b31m`,    // a lone byte, not UTF-8
		"\u009b31m":         `\x9b31m`,    // the same control as a code point
		"a\u202eb":          `a\u202eb`,   // right-to-left override
		"a\u200bb":          `a\u200bb`,   // zero width space
		"\U000e0041":        `\U000e0041`, // tag character
		"a\tb\r\nc\x00":     `a\tb\r\nc\x00`,
		"\xff\xfe":          `\xff\xfe`,
		"e\u0301":           "e\u0301",
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
	if got := visibleWithTabs("a\tb\x1b"); got != "a\tb\\x1b" {
		t.Errorf("tabs are layout: %q", got)
	}
}

func TestCells(t *testing.T) {
	for in, want := range map[string]int{"abc": 3, "日本": 4, "🧬": 2, "e\u0301": 1, "Ａ": 2, "": 0} {
		if got := cells(in); got != want {
			t.Errorf("cells(%q) = %d, want %d", in, got, want)
		}
	}
}

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
		if n := cells(shown); n > fit+2 {
			t.Errorf("takes %d cells of %d: %q", n, fit, shown)
		}
		if before > cells(shown) {
			t.Errorf("the caret stands outside: %d in %q", before, shown)
		}
	})
}
