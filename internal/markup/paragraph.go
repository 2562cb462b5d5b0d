package markup

// Paragraph is a run of text that a reader takes as one: a paragraph, a heading or the lines of an
// indented block. Fenced code and HTML blocks are none.
type Paragraph struct {
	Lines []Span // its lines without indents, container marks and line endings
	Quote int    // the outermost block quote it is in, counted from 1; 0: none
}

// Paragraphs returns the text of a document piece by piece, in order. It takes linear time.
func Paragraphs(text string) []Paragraph {
	var s scanner
	s.begin(text)
	s.paragraphs = &paragraphs{}
	s.run()
	return s.paragraphs.found
}

// paragraphs collects paragraphs while a text is scanned.
type paragraphs struct {
	found  []Paragraph
	open   bool
	quotes int // outermost block quotes so far
}

// addLine adds what is left of the current line to the open paragraph, or to a new one.
func (p *paragraphs) addLine(s *scanner) {
	if p == nil {
		return
	}
	if !p.open {
		p.found = append(p.found, Paragraph{})
		p.open = true
		if s.quoted() {
			p.found[len(p.found)-1].Quote = p.quotes
		}
	}
	last := &p.found[len(p.found)-1]
	last.Lines = append(last.Lines, Span{s.next, s.end})
}

// close ends the open paragraph.
func (p *paragraphs) close() {
	if p != nil {
		p.open = false
	}
}

// enterQuote counts a block quote if it is in no other.
func (p *paragraphs) enterQuote(depth int) {
	if p != nil && depth == 0 {
		p.quotes++
	}
}
