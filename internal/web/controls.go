package web

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// showControls writes out the characters that turn the direction of text: unseen, they make a name or a
// command read as another. Text that is written from right to left needs none of them here: every text
// has an element of its own.
func showControls(page []byte) []byte {
	if !mayTurnText(page) {
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

// mayTurnText tells, without reading every character, whether a page may have one of them: all begin with the same byte.
func mayTurnText(page []byte) bool {
	for {
		at := bytes.IndexByte(page, 0xE2)
		if at < 0 {
			return false
		}
		if page = page[at:]; len(page) > 1 && (page[1] == 0x80 || page[1] == 0x81) {
			if r, _ := utf8.DecodeRune(page); turnsText(r) {
				return true
			}
		}
		page = page[1:]
	}
}

func turnsText(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }
