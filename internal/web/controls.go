package web

import (
	"bytes"
	"fmt"
)

// showControls writes out the characters that turn the direction of text: unseen, they make a name or a
// command read as another. Text that is written from right to left needs none of them here: every text
// stands in an element of its own.
func showControls(page []byte) []byte {
	if !bytes.ContainsFunc(page, turnsText) {
		return page
	}
	out := make([]byte, 0, len(page)+64)
	for _, r := range string(page) {
		if turnsText(r) {
			out = fmt.Appendf(out, "[U+%04X]", r)
			continue
		}
		out = append(out, string(r)...)
	}
	return out
}

func turnsText(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }
