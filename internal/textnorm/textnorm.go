// Package textnorm brings texts into one form before they are compared.
package textnorm

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NFKC returns the text in Unicode's compatibility composition.
func NFKC(text string) string { return norm.NFKC.String(text) }

// NFC returns the text in Unicode's canonical composition.
func NFC(text string) string { return norm.NFC.String(text) }

// Segment returns the first character of a text with the marks that combine with it, in NFKC, and how many bytes it takes.
func Segment(text string) (normal string, size int) {
	const longest = 128 // more marks on one character are not read with it
	_, first := utf8.DecodeRuneInString(text)
	size = max(first, norm.NFKC.NextBoundaryInString(text[:min(len(text), longest)], true))
	if normal = text[:size]; !norm.NFKC.IsNormalString(normal) {
		normal = norm.NFKC.String(normal)
	}
	return normal, size
}

// Label returns what two outcomes of a test are compared by (SCIENCE 4): NFKC, lower case, white
// space collapsed and trimmed, one final period or exclamation mark dropped.
func Label(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(NFKC(text))), " ")
	if n := len(text); n > 0 && (text[n-1] == '.' || text[n-1] == '!') {
		text = strings.TrimRight(text[:n-1], " ")
	}
	return text
}
