package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/markup"
	"brenner/internal/pattern"
)

var sectionTitle = pattern.Lazy(`^\*\*§[0-9]+\*\*[^\n]*\n`)

// block reads a block quote that is a quotation: its last line is or ends with a citation, or a line that is only a citation
// follows. It returns how many of the paragraphs behind it were taken; -1: it is no quotation.
func (r *reader) block(paragraphs, behind []markup.Paragraph) int {
	var lines []markup.Span
	for _, p := range paragraphs {
		lines = append(lines, p.Lines...)
	}
	flat := flatten(r.text, lines)
	flat.notes = r.notes
	flat.scan()
	if g, ok := flat.last(); ok && r.blockQuote(flat, g.start, g.cited) {
		return 0
	}
	if len(behind) == 0 || behind[0].Quote != 0 || len(behind[0].Lines) == 0 {
		return -1
	}
	next := flatten(r.text, behind[0].Lines[:1])
	next.scan()
	if !next.onlyCites() || !r.blockQuote(flat, len(flat.text), next.cited) {
		return -1
	}
	if rest := behind[0].Lines[1:]; len(rest) > 0 {
		r.plain(markup.Paragraph{Lines: rest})
	}
	return 1
}

// blockQuote adds a block quote up to its citation; false if it says too little.
func (r *reader) blockQuote(flat *passage, end int, cited []citedAt) bool {
	at := span{0, end}
	if m := sectionTitle().FindString(flat.text); m != "" {
		at.start = min(len(m), end)
	}
	text := strings.TrimRightFunc(flat.text[at.start:end], func(r rune) bool { return unicode.IsSpace(r) || dash(r) || r == '~' })
	q, ok := flat.newQuote(at, text)
	if !ok {
		return false
	}
	q.Text = withoutMarks(q.Text)
	q.Bond, q.Block = Bound, true
	q.cite(cited)
	r.claims.Quotes = append(r.claims.Quotes, q)
	return true
}

// last returns the citation that ends the passage.
func (p *passage) last() (group, bool) {
	if len(p.cited) == 0 {
		return group{}, false
	}
	i := len(p.cited) - 1
	g := p.groupAt(i, span{len(p.text), len(p.text)})
	if strings.TrimFunc(p.masked[g.end:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;*_", r) }) != "" {
		return group{}, false
	}
	return g, true
}

// onlyCites tells whether the passage is nothing but a citation, with words such as p. 4 beside it.
func (p *passage) onlyCites() bool {
	if len(p.cited) == 0 {
		return false
	}
	var rest strings.Builder
	at := 0
	for _, c := range p.cited {
		if c.start >= at {
			rest.WriteString(p.masked[at:c.start] + " ")
			at = c.end
		}
	}
	rest.WriteString(p.masked[at:])
	for _, w := range strings.FieldsFunc(rest.String(), func(r rune) bool { return !wordRune(r) }) {
		if !besideCitation[strings.ToLower(w)] && strings.Trim(w, "0123456789") != "" {
			return false
		}
	}
	return true
}

// besideCitation are words that belong to a citation.
var besideCitation = map[string]bool{
	"see": true, "also": true, "cf": true, "p": true, "pp": true, "page": true, "pages": true, "line": true, "lines": true, "source": true,
	"from": true,
	"in":   true, "and": true, "or": true, "e": true, "g": true, "fig": true, "table": true, "section": true, "para": true, "s": true,
}

// withoutMarks takes outer quotation marks off.
func withoutMarks(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	last, m := utf8.DecodeLastRuneInString(text)
	if len(text) > n+m && quotationMark(first) && quotationMark(last) {
		return strings.TrimSpace(text[n : len(text)-m])
	}
	return text
}
