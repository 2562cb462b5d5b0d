package markup

import (
	"strings"

	"brenner/internal/protocol"
)

// container is an open block quote or list item.
type container struct {
	kind     containerKind
	width    int32 // columns that lines of a list item are indented by
	children int32 // blocks in it so far
}

type containerKind uint8

const (
	quote containerKind = iota
	item
)

// leafKind is the kind of the open leaf block.
type leafKind uint8

const (
	noLeaf leafKind = iota
	paragraph
	fenced
	indentedCode
	htmlBlock
)

// scanner finds the block structure line by line, as the appendix of the CommonMark
// specification describes it. Every step consumes bytes or closes what a byte opened, so
// that the time is linear whatever the nesting.
type scanner struct {
	cursor
	doc *Document

	stack   []container
	quotes  []int32 // places of block quotes in the stack
	leaf    leafKind
	matched int // containers that the current line continues

	paraLine   int    // number of the open paragraph's first line
	paraStart  int    // place of its first character
	definition []Span // its lines, without indent and line ending, while it may be link definitions
	code       verbatim
	htmlEnd    htmlKind

	isProse bool     // the current line is neither code in a fence nor HTML
	rule    ruleScan // what is known about thematic breaks on the current line

	paragraphs *paragraphs // nil: they are not collected

	fences  int // how many there may be
	nextLF  int // place of the next \n, or the end
	hasCR   bool
	longest int // of all lines
}

// begin makes the scanner ready for a text. It is a large value that lives on the stack, so it is not returned.
func (s *scanner) begin(text string) {
	returns := strings.Count(text, "\r")
	s.text, s.after = text, len(text)-len(protocol.WithoutBOM(text))
	s.doc = &Document{text: text, lines: make([]int, 1, strings.Count(text, "\n")+returns+1)}
	s.fences = min(1+strings.Count(text, "`")/len("``````"), maxExpectedFences) // most are opened and closed by three
	s.nextLF, s.hasCR = -1, returns > 0
}

func (s *scanner) run() {
	for s.nextLine() {
		s.scanLine()
		s.doc.depth = max(s.doc.depth, len(s.stack))
	}
	s.matched = 0
	s.closeUnmatched()
}

// nextLine moves to the next line. Lines end with \n, \r\n or \r, as in CommonMark.
func (s *scanner) nextLine() bool {
	start := s.after
	if start >= len(s.text) {
		return false
	}
	if s.nextLF < start {
		s.nextLF = indexFrom(s.text, '\n', start)
	}
	s.end, s.after = s.nextLF, min(s.nextLF+1, len(s.text))
	if s.hasCR {
		s.endAtCR(start)
	}
	s.longest = max(s.longest, s.after-start)
	if s.end < s.after {
		s.doc.lines = append(s.doc.lines, s.after)
	}
	s.start, s.pos, s.col, s.cut, s.next = start, start, 0, 0, start-1
	s.isProse, s.rule = true, ruleScan{}
	s.look()
	return true
}

func (s *scanner) endAtCR(start int) {
	cr := strings.IndexByte(s.text[start:s.end], '\r')
	if cr < 0 {
		return
	}
	s.end = start + cr
	if s.end+1 != s.nextLF { // not \r\n
		s.after = s.end + 1
	}
}

func indexFrom(text string, c byte, start int) int {
	if i := strings.IndexByte(text[start:], c); i >= 0 {
		return start + i
	}
	return len(text)
}

// lineNumber returns the number of the current line.
func (s *scanner) lineNumber() int {
	if s.end < s.after { // the next line is noted already
		return len(s.doc.lines) - 1
	}
	return len(s.doc.lines)
}

// scanLine takes one line through the three steps: continue open blocks, open new ones, add
// the rest as text.
func (s *scanner) scanLine() {
	s.matchContainers()
	verbatim := false
	if s.matched == len(s.stack) {
		verbatim = s.continueLeaf()
	}
	if !verbatim && !s.openBlocks() {
		s.addText()
	}
	s.addProse()
}

// matchContainers finds how many open containers the line continues.
func (s *scanner) matchContainers() {
	quotesSeen := 0
	for s.matched = 0; s.matched < len(s.stack); s.matched++ {
		s.look()
		if s.blank() {
			s.matchBlank(quotesSeen)
			return
		}
		c := &s.stack[s.matched]
		switch {
		case c.kind == quote && !s.indented() && s.char() == '>':
			s.enterQuote()
			quotesSeen++
		case c.kind == item && s.indent() >= int(c.width):
			s.skipColumns(int(c.width))
		default:
			return
		}
	}
	s.look()
}

// matchBlank continues all list items up to the next block quote: a blank line belongs to
// every item but one that has nothing yet.
func (s *scanner) matchBlank(quotesSeen int) {
	s.matched = len(s.stack)
	if quotesSeen < len(s.quotes) {
		s.matched = int(s.quotes[quotesSeen])
	} else if top := s.stack[len(s.stack)-1]; top.kind == item && top.children == 0 {
		s.matched--
	}
	s.skipIndent()
}

// enterQuote consumes a > and one column of space after it.
func (s *scanner) enterQuote() {
	s.skipIndent()
	s.skipBytes(1)
	s.skipColumns(1)
}

// continueLeaf continues the open leaf block; it tells whether the line is consumed.
func (s *scanner) continueLeaf() bool {
	switch s.leaf {
	case fenced:
		s.continueFence()
		return true
	case indentedCode:
		if s.indented() {
			s.paragraphs.addLine(s)
			return true
		}
		s.paragraphs.close()
		if s.blank() {
			return true
		}
		s.leaf = noLeaf
	case htmlBlock:
		if !s.blank() || !s.htmlEnd.endsAtBlank() {
			s.addHTML()
			return true
		}
		s.leaf = noLeaf
	case paragraph:
		if s.blank() {
			s.closeLeaf()
		}
	}
	return false
}

// closeUnmatched closes the containers that the line does not continue, and the open leaf.
func (s *scanner) closeUnmatched() {
	s.closeLeaf()
	s.stack = s.stack[:s.matched]
	for len(s.quotes) > 0 && int(s.quotes[len(s.quotes)-1]) >= s.matched {
		s.quotes = s.quotes[:len(s.quotes)-1]
	}
}

func (s *scanner) closeLeaf() {
	switch s.leaf {
	case fenced:
		s.closeFence()
	case paragraph:
		// A paragraph of link definitions alone leaves its list item empty.
		if !s.dropDefinitions() && len(s.stack) > 0 {
			s.stack[len(s.stack)-1].children--
		}
	}
	s.leaf = noLeaf
	s.paragraphs.close()
}

// open makes the next block a child of the last container that the line continues.
func (s *scanner) open() {
	s.closeUnmatched()
	if len(s.stack) > 0 {
		s.stack[len(s.stack)-1].children++
	}
}

func (s *scanner) push(c container) {
	s.open()
	if c.kind == quote {
		s.paragraphs.enterQuote(len(s.quotes))
		s.quotes = append(s.quotes, int32(len(s.stack)))
	}
	s.stack = append(s.stack, c)
	s.matched = len(s.stack)
}

func (s *scanner) quoted() bool { return len(s.quotes) > 0 }

// addText adds what is left of the line to a paragraph.
func (s *scanner) addText() {
	switch {
	case s.blank():
		s.closeUnmatched()
		return
	case s.leaf != paragraph:
		s.open()
		s.leaf = paragraph
		s.beginParagraph()
	case len(s.definition) == 0 && s.paraStart < 0: // definitions alone came before
		s.beginParagraph()
	}
	s.paragraphs.addLine(s)
	if s.text[s.paraStart] == '[' {
		s.definition = append(s.definition, Span{s.next, s.end})
	}
}

// beginParagraph makes the rest of the line the beginning of the open paragraph.
func (s *scanner) beginParagraph() {
	s.paraLine, s.paraStart = s.lineNumber(), s.next
	s.definition = s.definition[:0]
}

// addProse notes the line as prose if it ended up as text of the document or a list item.
func (s *scanner) addProse() {
	if s.quoted() || !s.isProse {
		return
	}
	if n := len(s.doc.prose); n > 0 && s.doc.prose[n-1].End == s.start {
		s.doc.prose[n-1].End = s.after
		return
	}
	if s.doc.prose == nil {
		s.doc.prose = make([]Span, 0, 1+s.fences)
	}
	s.doc.prose = append(s.doc.prose, Span{s.start, s.after})
}
