package repair

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The families of quotes: one closes what the same family opened.
const (
	straightQuote = iota
	doubleQuote   // typographic ones
	singleQuote   // ' and typographic ones
)

func quoteFamily(r rune) (int, bool) {
	switch r {
	case '"':
		return straightQuote, true
	case '“', '”', '„', '‟', '＂':
		return doubleQuote, true
	case '\'', '‘', '’', '‚', '‛', '`':
		return singleQuote, true
	}
	return 0, false
}

// closesFamily tells whether a quote may close a string that the family opened. A straight
// one may close a typographic one, since editors mix them up.
func closesFamily(family int, r rune) bool {
	other, ok := quoteFamily(r)
	return ok && (other == family || family == doubleQuote && other == straightQuote)
}

// quoted reads a string. A straight double quote ends at the next one, as in JSON; any other
// quote may also stand in the text (cell's), so that one closes only where JSON goes on
// behind it.
func (l *looseLexer) quoted(family int, open rune, size int) token {
	start := l.pos
	bad := token{kind: badToken, start: start, end: start}
	if l.unclosed[family] != 0 && start >= l.unclosed[family]-1 {
		return bad
	}
	from := start + size
	for i := from; i < len(l.source); {
		if l.source[i] == '\\' {
			i += 2
			continue
		}
		r, width := utf8.DecodeRuneInString(l.source[i:])
		if closesFamily(family, r) && (family == straightQuote || l.goesOn(i+width)) {
			l.pos = i + width
			l.noteQuotes(family, open, start)
			return token{kind: stringToken, text: l.unescape(from, i), start: start, end: l.pos}
		}
		i += width
	}
	l.unclosed[family] = start + 1
	return bad
}

func (l *looseLexer) noteQuotes(family int, open rune, at int) {
	switch {
	case family == straightQuote:
	case open == '\'' || open == '`':
		l.note(singleQuotes, at)
	default:
		l.note(smartQuotes, at)
	}
}

// goesOn tells whether what follows a string in JSON is at a place, or a comment.
func (l *looseLexer) goesOn(i int) bool {
	for i < len(l.source) && strings.IndexByte(" \t\r\n", l.source[i]) >= 0 {
		i++
	}
	rest := l.source[i:]
	return rest == "" || strings.IndexByte(",:}]", rest[0]) >= 0 || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*")
}

// unescape returns the text between two quotes. What is no valid escape is text as written.
func (l *looseLexer) unescape(from, to int) string {
	raw := l.source[from:to]
	if i := strings.IndexFunc(raw, func(r rune) bool { return r < ' ' }); i >= 0 {
		l.note(rawControl, from+i)
	}
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			i++
			continue
		}
		text, size := escape(raw[i:])
		if size == 0 {
			l.note(badEscape, from+i)
			text, size = `\`, 1
		}
		b.WriteString(text)
		i += size
	}
	return b.String()
}

// escape returns what an escape stands for and its length, which is 0 if it is none.
func escape(raw string) (string, int) {
	if len(raw) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(`"\/'bfnrt`, raw[1]); i >= 0 {
		return "\"\\/'\b\f\n\r\t"[i : i+1], 2
	}
	r, ok := hexEscape(raw)
	switch {
	case !ok:
		return "", 0
	case !utf16.IsSurrogate(r):
		return string(r), 6
	}
	low, ok := hexEscape(raw[6:])
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return string(pair), 12
	}
	return "", 0
}

func hexEscape(raw string) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(raw[2:6], 16, 16)
	return rune(n), err == nil
}
