package termtext

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// VisibleJSON writes what is not a visible character in a JSON text as \u escapes: the same value, which can
// neither drive a terminal (C1 controls) nor change the order of what is shown (bidirectional controls). Only
// strings hold such characters; the encoder has escaped the C0 controls in them.
func VisibleJSON(text []byte) []byte {
	if isVisibleJSON(text) {
		return text
	}
	shown := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\n' || unicode.IsGraphic(r):
			shown = append(shown, text[:size]...)
		case r < 0x10000:
			shown = fmt.Appendf(shown, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			shown = fmt.Appendf(shown, `\u%04x\u%04x`, high, low)
		}
		text = text[size:]
	}
	return shown
}

func isVisibleJSON(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r != '\n' && !unicode.IsGraphic(r) {
			return false
		}
		text = text[size:]
	}
	return true
}
