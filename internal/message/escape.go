package message

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// reference is the only form of character reference that escape writes and unescape reads.
var reference = pattern.Lazy(`^&(?:#([0-9]{1,7})|amp|lt);`)

// escape writes any text on one line so that it is neither Markdown nor a table cell's end
// nor anything that looks like a delta; unescape gives the text back. What needs no escape
// stays as it is, because agents read the source.
func escape(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	for i, r := range text {
		edge := i == 0 || i+utf8.RuneLen(r) == len(text)
		switch {
		case strings.ContainsRune("\\|*`", r), r == '_' && i == 0, r == '-' && len(text) == 1:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '&' && reference().MatchString(text[i:]):
			b.WriteString("&amp;")
		case unicode.IsControl(r), r == ' ' && edge, r == '{': // no brace, no JSON that could be meant as a delta
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unescape reads what escape writes, and any other text that uses backslashes before
// punctuation.
func unescape(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] == '\\' && i+1 < len(text) && asciiPunctuation(text[i+1]) {
			b.WriteByte(text[i+1])
			i += 2
			continue
		}
		if text[i] == '&' {
			if r, size, ok := characterReference(text[i:]); ok {
				b.WriteRune(r)
				i += size
				continue
			}
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

func characterReference(text string) (r rune, size int, ok bool) {
	m := reference().FindStringSubmatch(text)
	switch {
	case m == nil:
		return 0, 0, false
	case m[0] == "&amp;":
		return '&', len(m[0]), true
	case m[0] == "&lt;":
		return '<', len(m[0]), true
	}
	n, err := strconv.Atoi(m[1])
	return rune(n), len(m[0]), err == nil && utf8.ValidRune(rune(n))
}

func asciiPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// oneLine folds all space of a text into single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// clip cuts a text to a number of bytes, at a code point, and says so.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return protocol.ShortenBytes(text, limit-len("…"))
}
