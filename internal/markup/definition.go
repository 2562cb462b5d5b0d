package markup

import "strings"

// dropDefinitions removes link reference definitions from the beginning of the open
// paragraph and tells whether anything is left. Definitions are no text: a line under them
// alone underlines nothing.
func (s *scanner) dropDefinitions() bool {
	if len(s.definition) == 0 {
		return s.paraStart >= 0
	}
	var b strings.Builder
	for _, l := range s.definition {
		b.WriteString(s.text[l.Start:l.End])
		b.WriteByte('\n')
	}
	content, dropped := b.String(), 0
	for strings.HasPrefix(content, "[") {
		n := definition(content)
		if n == 0 {
			break
		}
		dropped += strings.Count(content[:n], "\n")
		content = content[n:]
	}
	if dropped == len(s.definition) {
		s.definition, s.paraStart = s.definition[:0], -1
		return false
	}
	s.paraLine, s.paraStart = s.paraLine+dropped, s.definition[dropped].Start
	s.definition = s.definition[:0] // what is left begins with no definition
	return true
}

// maxLabel is the longest link label, brackets included.
const maxLabel = 1001

// definition returns the length of the link reference definition at the beginning of a
// text, its line ending included; 0 if there is none.
func definition(text string) int {
	label := linkLabel(text)
	if label == 0 || !strings.HasPrefix(text[label:], ":") {
		return 0
	}
	pos := label + 1
	pos += spaceAndBreak(text[pos:])
	n := linkDestination(text[pos:])
	if n == 0 {
		return 0
	}
	pos += n
	plain := endOfLine(text[pos:])
	gap := spaceAndBreak(text[pos:])
	if gap > 0 {
		if n := linkTitle(text[pos+gap:]); n > 0 {
			if end := endOfLine(text[pos+gap+n:]); end > 0 {
				return pos + gap + n + end
			}
		}
	}
	if plain == 0 {
		return 0
	}
	return pos + plain
}

// linkLabel returns the length of a [label] that is not blank.
func linkLabel(text string) int {
	blank := true
	for i := 1; i < len(text) && i < maxLabel; i++ {
		switch c := text[i]; c {
		case ']':
			if blank {
				return 0
			}
			return i + 1
		case '[':
			return 0
		case '\\':
			i++
			blank = false
		case ' ', '\t', '\n':
		default:
			blank = false
		}
	}
	return 0
}

// linkDestination returns the length of a link destination.
func linkDestination(text string) int {
	if strings.HasPrefix(text, "<") {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '>':
				return i + 1
			case '<', '\n':
				return 0
			case '\\':
				i++
				if i < len(text) && text[i] == '\n' {
					return 0
				}
			}
		}
		return 0
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && isPunct(text[i+1]):
			i++
		case c == '(':
			depth++
		case c == ')':
			if depth == 0 {
				return i
			}
			depth--
		case c <= ' ' || c == 0x7f:
			if depth > 0 {
				return 0
			}
			return i
		}
	}
	return 0 // a paragraph ends with a line ending
}

// linkTitle returns the length of a link title.
func linkTitle(text string) int {
	if text == "" || strings.IndexByte("\"'(", text[0]) < 0 {
		return 0
	}
	end := text[0]
	if end == '(' {
		end = ')'
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == end:
			return i + 1
		case c == '(' && end == ')':
			return 0
		case c == '\\':
			i++
		}
	}
	return 0
}

// spaceAndBreak returns the length of spaces with at most one line break among them.
func spaceAndBreak(text string) int {
	n := spaces(text)
	if n < len(text) && text[n] == '\n' {
		n++
		n += spaces(text[n:])
	}
	return n
}

// endOfLine returns the length of spaces and the line ending after them, 0 if something else
// follows.
func endOfLine(text string) int {
	n := spaces(text)
	if n < len(text) && text[n] == '\n' {
		return n + 1
	}
	return 0
}

func spaces(text string) int {
	n := 0
	for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n
}

func isPunct(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) }
