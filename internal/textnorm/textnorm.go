// Package textnorm brings texts into one form before they are compared.
package textnorm

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// NFKC returns the text in Unicode's compatibility composition.
func NFKC(text string) string { return norm.NFKC.String(text) }

// NFC returns the text in Unicode's canonical composition.
func NFC(text string) string { return norm.NFC.String(text) }

// Label returns what two outcomes of a test are compared by (SCIENCE 4): NFKC, lower case, white
// space collapsed and trimmed, one final period or exclamation mark dropped.
func Label(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(NFKC(text))), " ")
	if n := len(text); n > 0 && (text[n-1] == '.' || text[n-1] == '!') {
		text = strings.TrimRight(text[:n-1], " ")
	}
	return text
}
