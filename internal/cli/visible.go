package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Text from outside may hold escape sequences, bidirectional controls and bytes that are
// no text at all. On the way to a person everything that is not a visible character is
// written as an escape, so that text can neither drive the terminal nor hide.

// visible returns text for one line of output.
func visible(s string) string { return escape(s, "") }

// visibleWithTabs is visible for whole lines of a document, where tabs are layout.
func visibleWithTabs(s string) string { return escape(s, "\t") }

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

// cells returns how many columns of a terminal a visible text takes.
func cells(s string) int {
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
