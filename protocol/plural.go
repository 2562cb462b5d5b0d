package protocol

import (
	"strconv"
	"strings"
)

// Plural writes a number of things: 1 delta, 2 deltas, 2 hypotheses, 2 entries.
func Plural(n int, word string) string {
	text := strconv.Itoa(n) + " "
	if n == 1 {
		return text + word
	}
	if stem, ok := strings.CutSuffix(word, "sis"); ok {
		return text + stem + "ses"
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return text + stem + "ies"
	}
	return text + word + "s"
}
