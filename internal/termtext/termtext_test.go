package termtext

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
		if got := Visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
	if got := VisibleWithTabs("a\tb\x1b"); got != "a\tb\\x1b" {
		t.Errorf("tabs are layout: %q", got)
	}
}

func TestCells(t *testing.T) {
	for in, want := range map[string]int{"abc": 3, "日本": 4, "🧬": 2, "e\u0301": 1, "Ａ": 2, "": 0} {
		if got := Cells(in); got != want {
			t.Errorf("cells(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	for in, want := range map[string]string{"abc": "abc", "abcdef": "abc…", "日本語だ": "日…", "": ""} {
		if got := Fit(in, 4); got != want {
			t.Errorf("Fit(%q, 4) = %q, want %q", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := Wrap("the quick brown fox internationalisation", 10)
	if want := []string{"the quick", "brown fox", "internatio", "nalisation"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text, columns := Visible(rapid.String().Draw(t, "text")), rapid.IntRange(4, 40).Draw(t, "columns")
		lines := Wrap(text, columns)
		for _, line := range lines {
			if Cells(line) > columns {
				t.Errorf("%q takes more than %d columns", line, columns)
			}
		}
		without := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if without(strings.Join(lines, "")) != without(text) {
			t.Errorf("%q became %q", text, lines)
		}
	})
}
