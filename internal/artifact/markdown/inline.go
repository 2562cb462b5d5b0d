package markdown

import (
	"strings"
	"unicode/utf8"
)

// lineBreak stands for a newline where a value has one line only: headings, cells, bullets.
const lineBreak = "<br>"

// writing is how a text is put on one line.
type writing struct {
	plain  bool   // no code spans: every backtick becomes a reference
	cells  bool   // the line is, or may be taken for, a row of a table
	struck bool   // the text will stand between ~~ and ~~
	also   string // further ASCII characters that must not appear
	guard  int    // index of a byte that must become a reference, or noGuard
}

const noGuard = -1

// single writes a text of any kind on one line, so that readInline gives it back.
func single(text string) string { return writing{guard: noGuard}.single(text) }

func (w writing) single(text string) string {
	if w.guard == noGuard && w.also == "" && ordinary(text) {
		return text
	}
	text = valid(text)
	var b []byte
	if text != "" && isBlank(text[0]) {
		w.guard = 0
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b = appendBreak(b)
			w.guard = noGuard
		}
		b = w.appendLine(b, line)
	}
	return string(b)
}

// ordinary tells quickly that a text needs no reference anywhere.
func ordinary(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '}' || strings.IndexByte("`&<]|\\", c) >= 0 {
			return false
		}
	}
	return text == "" || text[0] != ' ' && text[len(text)-1] != ' '
}

func appendBreak(b []byte) []byte {
	if oddBackslashes(b) {
		b = append(b[:len(b)-1], "&#92;"...)
	}
	return append(b, lineBreak...)
}

// appendLine writes one line of valid UTF-8. A blank or a backslash at the end becomes a
// reference: editors trim the one, and the other is a line break.
func (w writing) appendLine(b []byte, line string) []byte {
	spans := findSpans(line).avoid(line, w)
	for i := 0; i < len(line); {
		c := line[i]
		if c == '`' {
			b, i = w.appendTicks(b, line, i, spans)
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(line[i:])
		}
		last := i+size == len(line)
		if i == w.guard || last && (isBlank(c) || c == '\\') || w.special(line, i, r) {
			b = appendReference(b, r)
		} else {
			b = append(b, line[i:i+size]...)
		}
		i += size
	}
	return b
}

// special tells whether the rune at i would be read as something else than itself.
func (w writing) special(line string, i int, r rune) bool {
	switch r {
	case '&':
		_, _, ok := readReference(line[i:])
		return ok
	case '<':
		return opensTag(line[i+1:])
	case ']':
		return unsafeLink(line[i+1:])
	case '~':
		return w.struck && (i == 0 || i == len(line)-1 || line[i-1] == '~' || line[i+1] == '~')
	case '|':
		return w.cells && i > 0 && line[i-1] == '\\' // viewers disagree on \\\\|
	}
	return unseen(r) || r < utf8.RuneSelf && strings.IndexByte(w.also, byte(r)) >= 0
}

// opensTag tells whether a viewer might see HTML after a `<`. The rest is arithmetic: p < 0.05.
func opensTag(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0] | 0x20
	return c >= 'a' && c <= 'z' || strings.IndexByte("/!?", rest[0]) >= 0
}

// maxScheme bounds how far a scheme is looked for.
const maxScheme = 200

// unsafeLink tells whether a link's text is followed by an address that could run something:
// any scheme but http, https and mailto, however it is spelled.
func unsafeLink(rest string) bool {
	address, ok := strings.CutPrefix(rest, "(")
	if !ok {
		return false
	}
	address = strings.TrimLeft(address, " \t<")
	address = address[:min(len(address), maxScheme)]
	end := strings.IndexAny(address, "/?#) ")
	if end < 0 {
		end = len(address)
	}
	scheme, _, ok := strings.Cut(address[:end], ":")
	if !ok && !strings.ContainsAny(scheme, "&\\") {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
		return false
	}
	return true
}

// valid returns the text as UTF-8; JSON cannot hold anything else.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// trim removes spaces and tabs at both ends, and no other kind of space.
func trim(s string) string { return strings.Trim(s, " \t") }

// readInline reads what single and appendLine write.
func readInline(raw string) string {
	if !strings.ContainsAny(raw, "&<`") {
		return raw
	}
	spans := findSpans(raw)
	b := make([]byte, 0, len(raw))
	from := 0 // where the text since the last span, reference or break begins
	for i := 0; i < len(raw); {
		switch raw[i] {
		case '`':
			end, ok := spans.end(raw, i)
			if !ok {
				end = i + runLength(raw[i:], '`')
			}
			b = append(b, raw[i:end]...)
			i, from = end, end
			continue
		case '&':
			if r, n, ok := readReference(raw[i:]); ok && !oddBackslashes(raw[from:i]) {
				b = utf8.AppendRune(b, r)
				i, from = i+n, i+n
				continue
			}
		case '<':
			if n := breakLength(raw[i:]); n > 0 && !oddBackslashes(raw[from:i]) {
				b = append(b, '\n')
				i, from = i+n, i+n
				continue
			}
		}
		b = append(b, raw[i])
		i++
	}
	return string(b)
}

// breakLength is the length of the line break at the start of s, 0 if there is none.
func breakLength(s string) int {
	for _, spelling := range [...]string{lineBreak, "<br/>", "<br />"} {
		if len(s) >= len(spelling) && strings.EqualFold(s[:len(spelling)], spelling) {
			return len(spelling)
		}
	}
	return 0
}
