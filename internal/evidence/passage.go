package evidence

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/pattern"
)

// passage is the text of paragraphs without the marks of their containers.
type passage struct {
	text   string
	masked []byte
	lines  []markup.Span // the place of each line in the document
	starts []int         // and in text
}

func flatten(text string, paragraphs []markup.Paragraph) passage {
	var p passage
	var b strings.Builder
	for _, paragraph := range paragraphs {
		for _, l := range paragraph.Lines {
			p.lines = append(p.lines, l)
			p.starts = append(p.starts, b.Len())
			b.WriteString(text[l.Start:l.End])
			b.WriteByte('\n')
		}
	}
	p.text = b.String()
	p.masked = mask(p.text)
	return p
}

// offset returns the place in the document of a place in the passage.
func (p passage) offset(at int) int {
	i := sort.SearchInts(p.starts, at+1) - 1
	return p.lines[i].Start + at - p.starts[i]
}

// quotes finds the quotes of a paragraph from their citations backwards. Brackets that have served a
// quote do not serve those around them; the ones that open at except serve none.
func (p passage) quotes(except int) []Quote {
	var found []Quote
	var opens map[int]int
	used := -1
	for _, b := range p.citing() {
		if b.open < used || p.offset(b.open) == except {
			continue
		}
		if opens == nil {
			opens = p.quotationMarks()
		}
		end := p.closingMark(b.open)
		start, ok := opens[end]
		if !ok {
			continue
		}
		if q, ok := p.quote(start, end, b.citations); ok {
			found = append(found, q)
			used = b.after
		}
	}
	return found
}

func (p passage) quote(start, end int, citations []artifact.Citation) (Quote, bool) {
	text := strings.TrimSpace(p.text[start:end])
	q := Quote{Text: text, Citations: citations, Pattern: NewPattern(text)}
	if !q.Pattern.Long() {
		return q, false
	}
	q.Offset = p.offset(start + strings.Index(p.text[start:end], text))
	return q, true
}

// closingMark finds the quotation mark before brackets, with only spaces and punctuation between; -1 if
// there is none.
func (p passage) closingMark(at int) int {
	for at > 0 {
		r, size := utf8.DecodeLastRune(p.masked[:at])
		at -= size
		switch {
		case r == '"' || r == '”':
			return at
		case !unicode.IsSpace(r) && !unicode.IsPunct(r) && r != hiddenTag:
			return -1
		}
	}
	return -1
}

// quotationMarks returns for each mark that can close a quote where that quote begins: after the
// nearest straight mark, or after the curved one that matches.
func (p passage) quotationMarks() map[int]int {
	begins := map[int]int{}
	straight := -1
	var curved []int
	for i, r := range string(p.masked) {
		after := i + utf8.RuneLen(r)
		switch r {
		case '"':
			if straight >= 0 {
				begins[i] = straight
			} else if n := len(curved); n > 0 {
				begins[i] = curved[n-1]
			}
			straight = after
		case '“':
			curved = append(curved, after)
		case '”':
			if n := len(curved); n > 0 {
				begins[i] = curved[n-1]
				curved = curved[:n-1]
			} else if straight >= 0 {
				begins[i] = straight
			}
		}
	}
	return begins
}

var sectionTitle = pattern.Lazy(`^\*\*§[0-9]+\*\*`)

// blockQuote finds the quotes of a block quote. One whose last line ends with a citation is a quote
// itself, without the title that brenner excerpt writes above it.
func blockQuote(text string, paragraphs []markup.Paragraph) []Quote {
	whole, brackets := flatten(text, paragraphs).whole()
	var found []Quote
	for i := range paragraphs {
		found = append(found, flatten(text, paragraphs[i:i+1]).quotes(brackets)...)
	}
	if brackets >= 0 {
		found = append(found, whole)
	}
	return found
}

// whole returns the passage as one quote, and where in the document its brackets open; -1 if it is none.
func (p passage) whole() (Quote, int) {
	end := len(strings.TrimRightFunc(p.text, unicode.IsSpace))
	for _, b := range p.citing() {
		if b.after != end {
			continue
		}
		start := 0
		if sectionTitle().MatchString(p.text) {
			start = min(strings.IndexByte(p.text, '\n')+1, b.open)
		}
		if q, ok := p.quote(start, b.open, b.citations); ok {
			q.Text = withoutMarks(q.Text)
			return q, p.offset(b.open)
		}
	}
	return Quote{}, -1
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
