package evidence

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/markup"
)

// Quote is a quotation in a text, with what it cites.
type Quote struct {
	Text      string              // as written, without its marks
	Citations []artifact.Citation // it must stand in one of them
	Pages     []PageRange         // that each of them names
	Bond      Bond
	Block     bool // it is a block quote
	Offset    int  // of its first byte in the text it was found in
	Pattern   Pattern
}

// PageRange are the pages that a citation names: (EV-004, p. 7). Both are 0 if it names none.
type PageRange struct{ First, Last int }

// Bond says how a quotation belongs to what it cites (SCIENCE 1, belonging).
type Bond uint8

// The bonds, the strongest last.
const (
	Uncited     Bond = iota // its paragraph cites nothing
	InParagraph             // its paragraph has a citation, which may belong to something else
	Near                    // its sentence has one
	Bound                   // the citation is its own
)

// Citation returns what is cited, as written.
func (q Quote) Citation() string {
	names := make([]string, len(q.Citations))
	for i, c := range q.Citations {
		names[i] = c.String()
	}
	return strings.Join(names, ", ")
}

// QuoteOf is a quotation that is known to be one, of a text that cites a source for it.
func QuoteOf(text string, cited artifact.Citation) Quote {
	return Quote{Text: text, Citations: []artifact.Citation{cited}, Pages: make([]PageRange, 1), Bond: Bound, Pattern: NewPattern(text)}
}

// Claims are what a text says that its sources can bear out.
type Claims struct {
	Quotes  []Quote
	Figures []Figure
}

// Quotes finds the quotations of a Markdown text, in order.
func Quotes(text string) []Quote { return Read(text).Quotes }

// Read finds the quotations of a Markdown text, and the numbers beside its citations, in order. It takes linear time.
func Read(text string) Claims {
	var found Claims
	if !strings.ContainsAny(text, quotationMarks) && !strings.Contains(text, "EV-") && !strings.Contains(text, "§") {
		return found
	}
	r := reader{text: text, claims: &found}
	r.paragraphs = markup.Paragraphs(text)
	r.notes = footnotes(text, r.paragraphs)
	for i := 0; i < len(r.paragraphs); {
		i = r.read(i)
	}
	return found
}

// reader goes through a text, paragraph by paragraph.
type reader struct {
	text       string
	paragraphs []markup.Paragraph
	notes      notes
	claims     *Claims
}

// read reads the i-th paragraph, with those that belong to the same block quote, and returns the number of the next.
func (r *reader) read(i int) int {
	if r.paragraphs[i].Quote == 0 {
		r.plain(r.paragraphs[i])
		return i + 1
	}
	end := i
	for end < len(r.paragraphs) && r.paragraphs[end].Quote == r.paragraphs[i].Quote {
		end++
	}
	if taken := r.block(r.paragraphs[i:end], r.paragraphs[end:]); taken >= 0 {
		return end + taken
	}
	for _, p := range r.paragraphs[i:end] {
		r.plain(p)
	}
	return end
}

// plain reads a paragraph; each row of a table is one.
func (r *reader) plain(p markup.Paragraph) {
	for _, part := range rows(r.text, p) {
		flat := flatten(r.text, part)
		flat.notes = r.notes
		flat.claims(r.claims)
	}
}

// rows parts a paragraph before and behind each row of a table, and before each footnote.
func rows(text string, p markup.Paragraph) [][]markup.Span {
	var parts [][]markup.Span
	start := 0
	for i, l := range p.Lines {
		line := text[l.Start:l.End]
		if i > start && (strings.HasPrefix(line, "|") || strings.HasPrefix(text[p.Lines[i-1].Start:], "|") || noteStart().
			MatchString(line)) {
			parts = append(parts, p.Lines[start:i])
			start = i
		}
	}
	return append(parts, p.Lines[start:])
}
