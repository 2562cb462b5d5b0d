package markup

import "strings"

// openBlocks opens the blocks that begin on the line. It tells whether the line is consumed;
// otherwise the rest is text.
func (s *scanner) openBlocks() bool {
	for {
		s.look()
		// Inside a paragraph, or where one could go on lazily, indented text is no code.
		inParagraph := s.leaf == paragraph
		if s.indented() {
			if inParagraph || s.blank() {
				return false
			}
			s.open()
			s.leaf = indentedCode
			s.paragraphs.addLine(s)
			return true
		}
		if s.blank() {
			return false
		}
		switch s.openBlock() {
		case consumed:
			return true
		case nothing:
			return false
		}
	}
}

// opened says what became of an attempt to open a block.
type opened uint8

const (
	nothing  opened = iota // no block begins here
	entered                // a container was opened; more may follow on the line
	consumed               // a leaf took the line
)

func (s *scanner) openBlock() opened {
	switch c := s.char(); c {
	case '>':
		s.push(container{kind: quote})
		s.enterQuote()
		return entered
	case '#':
		return s.openATX()
	case '`', '~':
		return s.openFence()
	case '<':
		return s.openHTML()
	case '=', '-', '+', '*', '_':
		if (c == '=' || c == '-') && s.openSetext() {
			return consumed
		}
		if s.thematicBreak() {
			s.open()
			return consumed
		}
		return s.openItem()
	default:
		return s.openItem()
	}
}

// inParagraph tells whether the line would continue a paragraph, not lazily.
func (s *scanner) inParagraph() bool { return s.leaf == paragraph && s.matched == len(s.stack) }

func (s *scanner) openATX() opened {
	rest := s.rest()
	level := countByte(rest, '#')
	if level > 6 || (level < len(rest) && rest[level] != ' ' && rest[level] != '\t') {
		return nothing
	}
	s.open()
	s.paragraphs.addLine(s)
	s.paragraphs.close()
	if len(s.stack) == 0 {
		s.addHeading(Heading{
			Level: level, Text: trimClosing(rest[level:]), Start: s.start, End: s.after, Line: s.lineNumber(),
		})
	}
	return consumed
}

// fewHeadings is room for the headings of most messages.
const fewHeadings = 4

func (s *scanner) addHeading(h Heading) {
	if s.doc.headings == nil {
		s.doc.headings = make([]Heading, 0, fewHeadings)
	}
	s.doc.headings = append(s.doc.headings, h)
}

// trimClosing removes spaces and a closing sequence of #s.
func trimClosing(text string) string {
	text = strings.Trim(text, " \t")
	body := strings.TrimRight(text, "#")
	if body == "" {
		return ""
	}
	if trimmed := strings.TrimRight(body, " \t"); len(trimmed) < len(body) {
		return trimmed
	}
	return text
}

// openSetext turns the open paragraph into a heading if the line underlines it.
func (s *scanner) openSetext() bool {
	rest := s.rest()
	level := 1
	if rest[0] == '-' {
		level = 2
	}
	if !s.inParagraph() || strings.TrimRight(rest, " \t") != rest[:countByte(rest, rest[0])] {
		return false
	}
	if !s.dropDefinitions() {
		return false
	}
	if len(s.stack) == 0 {
		s.addHeading(Heading{
			Level: level, Text: s.paraText(), Start: s.doc.lines[s.paraLine-1], End: s.after, Line: s.paraLine,
		})
	}
	s.leaf = noLeaf
	s.paragraphs.close()
	return true
}

// paraText joins the lines of a paragraph of the document itself.
func (s *scanner) paraText() string {
	var b strings.Builder
	for n := s.paraLine; n < s.lineNumber(); n++ {
		if n > s.paraLine {
			b.WriteByte(' ')
		}
		b.WriteString(strings.Trim(s.text[s.doc.lines[n-1]:s.doc.lines[n]], " \t\r\n"))
	}
	return b.String()
}

// ruleScan remembers where the line ceases to be one mark repeated, so that a line of nested
// list markers is walked once and not once for every marker.
type ruleScan struct {
	mark  byte
	until int // first place of another character
}

// thematicBreak tells whether the rest of the line is three or more of the same *, - or _.
func (s *scanner) thematicBreak() bool {
	mark := s.char()
	if mark == '+' || mark == '=' {
		return false
	}
	if s.rule.mark == mark && s.next < s.rule.until {
		return false // a rule would have taken the line before
	}
	n, i := 0, s.next
	for ; i < s.end; i++ {
		if c := s.text[i]; c == mark {
			n++
		} else if c != ' ' && c != '\t' {
			break
		}
	}
	s.rule = ruleScan{mark, i}
	return i == s.end && n >= 3
}

// openItem opens a list item.
func (s *scanner) openItem() opened {
	marker := listMarker(s.rest())
	if marker == 0 {
		return nothing
	}
	if s.inParagraph() && !s.mayInterrupt(marker) {
		return nothing
	}
	indent := s.indent()
	s.push(container{kind: item})
	s.skipIndent()
	s.skipBytes(marker)
	s.stack[len(s.stack)-1].width = int32(indent + marker + s.itemPadding())
	return entered
}

// mayInterrupt tells whether a list may begin inside a paragraph: not with an empty item,
// nor with another number than 1.
func (s *scanner) mayInterrupt(marker int) bool {
	rest := s.rest()
	if strings.Trim(rest[marker:], " \t") == "" {
		return false
	}
	number := strings.TrimLeft(rest[:marker-1], "0")
	return marker == 1 || number == "1"
}

// itemPadding consumes the space after a list marker and returns its width. With nothing or
// code behind it, the content begins one column after the marker.
func (s *scanner) itemPadding() int {
	s.look()
	n := s.indent()
	if n > 4 || s.blank() {
		s.skipColumns(1)
		return 1
	}
	s.skipIndent()
	return n
}

// listMarker returns the length of the list marker at the beginning of a line, 0 if there is
// none.
func listMarker(line string) int {
	n := 0
	switch c := line[0]; {
	case c == '-' || c == '+' || c == '*':
		n = 1
	case c >= '0' && c <= '9':
		for n < len(line) && n < 10 && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n > 9 || n == len(line) || (line[n] != '.' && line[n] != ')') {
			return 0
		}
		n++
	default:
		return 0
	}
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

func countByte(text string, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}
