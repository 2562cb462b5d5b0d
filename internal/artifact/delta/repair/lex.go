package repair

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lapse is a way in which JSON was miswritten and can be mended without guessing.
type lapse uint8

const (
	trailingComma lapse = iota
	missingComma
	singleQuotes
	smartQuotes
	bareKey
	bareValue
	comment
	rawControl
	badEscape
	oddSpace
	lapseCount
)

// lapseRepairs say what is done about each.
var lapseRepairs = [lapseCount]string{
	trailingComma: "Removed a superfluous comma.",
	missingComma:  "Put a comma between two members.",
	singleQuotes:  "Put double quotes for single quotes.",
	smartQuotes:   "Put straight quotes for typographic ones.",
	bareKey:       "Put a bare key into quotes.",
	bareValue:     "Wrote a bare word as a JSON value.",
	comment:       "Removed a comment.",
	rawControl:    "Escaped a line break or control character inside a string.",
	badEscape:     "Escaped a backslash that began no valid escape.",
	oddSpace:      "Put a plain space for another one between values.",
}

// token is a piece of loosely written JSON. Its kind is one of {}[]:, or stringToken,
// wordToken, endToken, badToken.
type token struct {
	kind       byte
	text       string // of a string without its quotes and escapes; of a word as written
	start, end int
}

const (
	stringToken = 's'
	wordToken   = 'w'
	endToken    = '$'
	badToken    = '?'
)

// looseLexer reads JSON with the slips that people and models make. What is inside a
// string is never touched: only its delimiters and escapes are understood.
type looseLexer struct {
	source string
	pos    int
	lapses [lapseCount]int // place of the first of each kind, plus 1; 0 if there is none

	// unclosed is the place from which no closing quote of a family was found, plus 1: later
	// searches fail at once, which keeps hostile text linear.
	unclosed    [3]int
	openComment bool // the same for comments
}

func (l *looseLexer) note(k lapse, at int) {
	if l.lapses[k] == 0 {
		l.lapses[k] = at + 1
	}
}

// next returns the next token.
func (l *looseLexer) next() token {
	if !l.skipSpace() {
		return token{kind: badToken, start: l.pos, end: l.pos}
	}
	start := l.pos
	if start == len(l.source) {
		return token{kind: endToken, start: start, end: start}
	}
	switch c := l.source[start]; c {
	case '{', '}', '[', ']', ':', ',':
		l.pos++
		return token{kind: c, start: start, end: l.pos}
	}
	r, size := utf8.DecodeRuneInString(l.source[start:])
	if family, ok := quoteFamily(r); ok {
		return l.quoted(family, r, size)
	}
	return l.word()
}

// skipSpace skips space and comments; it fails on a comment that does not end.
func (l *looseLexer) skipSpace() bool {
	for l.pos < len(l.source) {
		rest := l.source[l.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			l.pos++
		case strings.HasPrefix(rest, "//") || c == '#':
			l.note(comment, l.pos)
			l.pos += lineLength(rest)
		case strings.HasPrefix(rest, "/*"):
			end := -1
			if !l.openComment {
				end = strings.Index(rest[2:], "*/")
			}
			if end < 0 {
				l.openComment = true
				return false
			}
			l.note(comment, l.pos)
			l.pos += end + 4
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' && r != '\u200b' {
				return true
			}
			l.note(oddSpace, l.pos)
			l.pos += size
		}
	}
	return true
}

func lineLength(text string) int {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return i
	}
	return len(text)
}

// word reads a number, a literal or a bare word.
func (l *looseLexer) word() token {
	start := l.pos
	for l.pos < len(l.source) {
		r, size := utf8.DecodeRuneInString(l.source[l.pos:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_$@.+-§", r) {
			break
		}
		l.pos += size
	}
	text := l.source[start:l.pos]
	if strings.Trim(text, ".+-") == "" { // nothing, or an ellipsis: something was left out
		return token{kind: badToken, start: start, end: l.pos}
	}
	return token{kind: wordToken, text: text, start: start, end: l.pos}
}
