package protocol

import (
	"strconv"
	"strings"
)

// Plural writes a number of things: 1 delta, 2 deltas, 2 hypotheses, 2 entries, 2 days, 2 boxes.
func Plural(n int, word string) string {
	text := strconv.Itoa(n) + " "
	if n == 1 {
		return text + word
	}
	if stem, ok := strings.CutSuffix(word, "sis"); ok {
		return text + stem + "ses"
	}
	if strings.HasSuffix(word, "s") || strings.HasSuffix(word, "x") {
		return text + word + "es"
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok && !strings.HasSuffix(word, "ay") && !strings.HasSuffix(word, "ey") {
		return text + stem + "ies"
	}
	return text + word + "s"
}
