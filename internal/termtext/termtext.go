// Package termtext makes text from outside safe to print on a terminal, and measures it there.
// Such text may hold escape sequences, bidirectional controls and bytes that are no text at all:
// on the way to a person everything that is not a visible character is written as an escape, so that
// it can neither drive the terminal nor hide.
package termtext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Visible returns text for one line of output.
func Visible(s string) string { return escape(s, "") }

// VisibleWithTabs is Visible for whole lines of a document, where tabs are layout.
func VisibleWithTabs(s string) string { return escape(s, "\t") }

func escape(s, keep string) string {
	if isVisible(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if strings.ContainsRune(keep, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(escapeRune(r, s[:size]))
		}
		s = s[size:]
	}
	return b.String()
}

func isVisible(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escapeRune returns the rune as it may be printed; raw are its bytes.
func escapeRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case unicode.IsGraphic(r):
		return raw
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Cells returns how many columns of a terminal a visible text takes.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Fit cuts a visible text to a number of columns.
func Fit(text string, columns int) string {
	if Cells(text) <= columns {
		return text
	}
	n := 0
	for i, r := range text {
		if n += runeCells(r); n > columns-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Wrap breaks a visible text into lines of at most so many columns, between words where it can.
func Wrap(text string, columns int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.FieldsSeq(text) {
		n := Cells(word)
		if used > 0 && used+1+n > columns {
			flush()
		}
		for ; n > columns && columns > 1; n = Cells(word) { // a word longer than a line
			head := cut(word, columns)
			line.WriteString(head)
			flush()
			word = word[len(head):]
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += n
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

// cut returns the part of a text that fits, at least one character.
func cut(text string, columns int) string {
	n := 0
	for i, r := range text {
		if n += runeCells(r); n > columns && i > 0 {
			return text[:i]
		}
	}
	return text
}
