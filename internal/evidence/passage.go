package evidence

import (
	"sort"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/pattern"
)

// passage is the text of a paragraph without the marks of its containers.
type passage struct {
	text   string
	masked string        // without code and tags, byte for byte
	lines  []markup.Span // the place of each line in the document
	starts []int         // and in text
	notes  notes

	cited     []citedAt
	brackets  []span
	quotes    []pair
	sentences []int // where each ends
}

// span is a part of a passage.
type span struct{ start, end int }

func (s span) holds(other span) bool { return s.start <= other.start && other.end <= s.end }

// citedAt is a citation in a passage.
type citedAt struct {
	span
	artifact.Citation
	pages PageRange
	note  bool // it stands in a footnote, and this is the footnote's mark
}

func flatten(text string, lines []markup.Span) *passage {
	p := &passage{}
	var b strings.Builder
	for _, l := range lines {
		p.lines = append(p.lines, l)
		p.starts = append(p.starts, b.Len())
		b.WriteString(text[l.Start:l.End])
		b.WriteByte('\n')
	}
	p.text = b.String()
	p.masked = string(mask(p.text))
	return p
}

// offset returns the place in the document of a place in the passage.
func (p *passage) offset(at int) int {
	i := sort.SearchInts(p.starts, at+1) - 1
	return p.lines[i].Start + at - p.starts[i]
}

// scan finds everything in the passage that matters.
func (p *passage) scan() {
	p.cited = citations(p.masked, p.notes)
	p.quotes = quotationPairs(p.masked)
	p.brackets = bracketPairs(p.masked)
	p.sentences = sentenceEnds(p)
}

// claims adds the quotations of the passage, and the numbers beside its citations.
func (p *passage) claims(c *Claims) {
	if !strings.ContainsAny(p.masked, quotationMarks) && !strings.ContainsAny(p.masked, "§^") && !strings.Contains(p.masked, "EV-") {
		return
	}
	p.scan()
	for _, pair := range p.quotes {
		if q, ok := p.quote(pair); ok {
			c.Quotes = append(c.Quotes, q)
		}
	}
	c.Figures = append(c.Figures, p.figures()...)
}

// quote reads a quotation with what it cites.
func (p *passage) quote(pair pair) (Quote, bool) {
	b := p.belonging(pair)
	text := p.text[pair.start:b.end]
	q, ok := p.newQuote(span{pair.start, b.end}, text)
	if !ok || pair.single && b.bond != Bound {
		return q, false
	}
	q.Bond = b.bond
	q.cite(b.cited)
	return q, true
}

func (p *passage) newQuote(at span, text string) (Quote, bool) {
	trimmed := strings.TrimSpace(text)
	q := Quote{Text: trimmed, Pattern: NewPattern(trimmed)}
	if trimmed == "" || !q.Pattern.Long() {
		return q, false
	}
	q.Offset = p.offset(at.start + strings.Index(text, trimmed))
	return q, true
}

// maxCited is how many citations of one place count.
const maxCited = 64

func (q *Quote) cite(cited []citedAt) {
	seen := map[artifact.Citation]bool{}
	for _, c := range cited {
		if len(seen) < maxCited && !seen[c.Citation] {
			seen[c.Citation] = true
			q.Citations, q.Pages = append(q.Citations, c.Citation), append(q.Pages, c.pages)
		}
	}
}

// notes are the footnotes of a document: what each cites.
type notes map[string][]citedAt

var (
	noteStart = pattern.Lazy(`^\[\^([^\]\s]{1,64})\]:`)
	noteMark  = pattern.Lazy(`\[\^([^\]\s]{1,64})\]`)
)

// footnotes reads the footnotes of a document: their text stands where their mark stands.
func footnotes(text string, paragraphs []markup.Paragraph) notes {
	if !strings.Contains(text, "]:") {
		return nil
	}
	found := notes{}
	for _, paragraph := range paragraphs {
		for _, part := range rows(text, paragraph) {
			p := flatten(text, part)
			m := noteStart().FindStringSubmatch(p.masked)
			if m == nil {
				continue
			}
			for _, c := range citations(p.masked, nil) {
				c.note = true
				found[m[1]] = append(found[m[1]], c)
			}
		}
	}
	return found
}
