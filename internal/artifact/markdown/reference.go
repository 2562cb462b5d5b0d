package markdown

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Values are Markdown already, so they stand in the file as they are. Whatever would be read
// as something else — by us or by a viewer — is written as a character reference, which every
// viewer shows as the character it stands for: one escape for everything, and none in
// ordinary prose.

// appendReference writes a rune as a character reference. A backslash right before it would
// make the reference literal text, so an odd one becomes a reference too.
func appendReference(b []byte, r rune) []byte {
	if oddBackslashes(b) {
		b = append(b[:len(b)-1], "&#92;"...)
	}
	switch {
	case r == '&':
		return append(b, "&amp;"...)
	case r == '<':
		return append(b, "&lt;"...)
	case r < utf8.RuneSelf:
		b = append(b, "&#"...)
		b = strconv.AppendInt(b, int64(r), 10)
	default:
		b = append(b, "&#x"...)
		b = append(b, strings.ToUpper(strconv.FormatInt(int64(r), 16))...)
	}
	return append(b, ';')
}

func oddBackslashes[T string | []byte](b T) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// maxReference is the length of the longest reference that readReference knows.
const maxReference = len("&#1114111;")

// readReference reads the character reference at the start of s, and its length. It knows
// numbers and the few names that appendReference and people use; anything else that looks
// like a reference is text and stays as it is.
func readReference(s string) (rune, int, bool) {
	end := strings.IndexByte(s[:min(len(s), maxReference)], ';')
	if end < 0 {
		return 0, 0, false
	}
	r, ok := referenced(s[1:end])
	return r, end + 1, ok
}

func referenced(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	}
	digits, base := name, 10
	if !strings.HasPrefix(digits, "#") {
		return 0, false
	}
	if digits = digits[1:]; strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || strings.Contains(digits, "_") || !utf8.ValidRune(rune(n)) {
		return 0, false
	}
	return rune(n), true
}

// unseen tells which characters are never written raw: controls, which a message may not
// hold or an editor would alter, line separators, and marks that reorder the text around
// them, so that a file reads as it is.
func unseen(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t'
	case r >= 0x7F && r <= 0x9F, r == 0x2028, r == 0x2029, r == 0xFEFF:
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
