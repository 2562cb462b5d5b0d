package protocol

import (
	"strings"
	"unicode"
)

// byteOrderMark may begin a text and is read as nothing (PROTOCOL 1).
const byteOrderMark = "\ufeff"

// WithoutBOM returns a text without a leading byte order mark.
func WithoutBOM(text string) string { return strings.TrimPrefix(text, byteOrderMark) }

// Blank tells whether a text shows nothing: it has only spaces, control characters and characters
// without width (PROTOCOL 4).
func Blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !invisible(r) }) < 0
}

// invisible also knows the letters and symbols that are drawn as nothing: fillers of Hangul, the
// empty pattern of Braille.
func invisible(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Variation_Selector)
}
