package evidence

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBetween is how many words may stand between a quotation and a citation that is near it, in halves.
const maxBetween = 2 * 8

// belongs says which citations a quotation has (SCIENCE 1, belonging).
type belongs struct {
	bond  Bond
	cited []citedAt
	end   int // of the quotation: a citation that is the last thing inside its marks is no part of it
}

// belonging decides what a quotation cites.
func (p *passage) belonging(q pair) belongs {
	if len(p.cited) == 0 {
		return belongs{end: q.end}
	}
	before, introduced := p.introducing(q)
	if g, ok := p.behind(q); ok && !(introduced && p.introducesNext(g)) {
		return belongs{Bound, g.cited, q.end}
	}
	if introduced {
		return belongs{Bound, before.cited, q.end}
	}
	if g, ok := p.lastInside(q); ok {
		return belongs{Bound, g.cited, g.start}
	}
	if near := p.near(q); len(near) > 0 {
		return belongs{Near, near, q.end}
	}
	return belongs{InParagraph, p.elsewhere(q), q.end}
}

// behind returns the citation directly behind a quotation: punctuation, a footnote mark or a dash between.
func (p *passage) behind(q pair) (group, bool) {
	i := sort.Search(len(p.cited), func(i int) bool { return p.cited[i].start >= q.outer.end })
	if i == len(p.cited) {
		return group{}, false
	}
	g := p.groupAt(i, q.outer)
	if g.start < q.outer.end || !between(p.masked[q.outer.end:g.start]) {
		return group{}, false
	}
	if !g.bracketed && !p.sameSentence(q.outer.end-1, g.start) && !p.ends(g) {
		return group{}, false // it begins the next sentence
	}
	return g, true
}

// ends tells whether nothing but punctuation follows a citation in its sentence.
func (p *passage) ends(g group) bool {
	rest := strings.TrimLeft(p.masked[g.end:], " \t\n*_")
	return rest == "" || strings.ContainsRune(".;!?。|)", rune(rest[0]))
}

// between tells whether only punctuation, footnote marks and dashes stand in a text.
func between(text string) bool {
	text = noteMark().ReplaceAllString(text, "")
	for _, r := range text {
		_, raised := superscript(r)
		kind, _ := bracket(r)
		fits := unicode.IsSpace(r) || unicode.IsPunct(r) && kind == noBracket && !quotationMark(r) || raised || r == '|' || r == hiddenTag
		if !fits {
			return false
		}
	}
	return true
}

// introducing returns the citation that a colon or comma leads from to the quotation: As EV-001 says, "…".
func (p *passage) introducing(q pair) (group, bool) {
	lead := strings.TrimRightFunc(p.masked[:q.outer.start], func(r rune) bool {
		return unicode.IsSpace(r) || r == '*' || r == '_' || r == hiddenTag
	})
	if r, _ := utf8.DecodeLastRuneInString(lead); !strings.ContainsRune(":,：，、", r) {
		return group{}, false
	}
	i := sort.Search(len(p.cited), func(i int) bool { return p.cited[i].start >= q.outer.start }) - 1
	if i < 0 {
		return group{}, false
	}
	g := p.groupAt(i, q.outer)
	if g.end > q.outer.start || !wordsIn(p.masked[g.end:q.outer.start], maxBetween) || !p.sameSentence(g.start, q.outer.start) {
		return group{}, false
	}
	return g, true
}

// introducesNext tells whether a citation without brackets leads to the quotation behind it.
func (p *passage) introducesNext(g group) bool {
	if g.bracketed {
		return false
	}
	i := sort.Search(len(p.quotes), func(i int) bool { return p.quotes[i].outer.start >= g.end })
	if i == len(p.quotes) {
		return false
	}
	next, ok := p.introducing(p.quotes[i])
	return ok && next.start == g.start
}

// lastInside returns the citation in brackets that is the last thing inside the marks of a quotation.
func (p *passage) lastInside(q pair) (group, bool) {
	end := q.start + len(strings.TrimRightFunc(p.masked[q.start:q.end], func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;!?*_", r)
	}))
	for i := sort.Search(len(p.brackets), func(i int) bool {
		return p.brackets[i].start >= end
	}) - 1; i >= 0 && p.brackets[i].start >= q.start; i-- {
		if b := p.brackets[i]; b.end == end {
			if g := p.collect(b); len(g.cited) > 0 && p.cites(b) {
				return g, true
			}
		}
	}
	return group{}, false
}

// near returns the citations of the sentence that are near a quotation: behind it in brackets, or before it.
func (p *passage) near(q pair) []citedAt {
	var found []citedAt
	first := sort.Search(len(p.cited), func(i int) bool { return p.cited[i].start >= q.outer.start })
	for i := first - 1; i >= 0 && len(found) < maxCited; i-- {
		g := p.groupAt(i, q.outer)
		if g.end > q.outer.start || !wordsIn(p.masked[g.end:q.outer.start], maxBetween) || !p.sameSentence(g.start, q.outer.start) {
			break
		}
		found = append(found, p.cited[i])
	}
	for i := first; i < len(p.cited) && len(found) < maxCited; i++ {
		if p.cited[i].start < q.outer.end {
			continue
		}
		g := p.groupAt(i, q.outer)
		if g.start < q.outer.end || !wordsIn(p.masked[q.outer.end:g.start], maxBetween) || !p.sameSentence(q.outer.end-1, g.start) {
			break
		}
		if g.bracketed {
			found = append(found, p.cited[i])
		}
	}
	return found
}

// elsewhere returns the citations of the paragraph, those nearest to the quotation first if there are many.
func (p *passage) elsewhere(q pair) []citedAt {
	if len(p.cited) <= maxCited {
		return p.cited
	}
	i := sort.Search(len(p.cited), func(i int) bool { return p.cited[i].start >= q.outer.start })
	from := min(max(0, i-maxCited/2), len(p.cited)-maxCited)
	return p.cited[from : from+maxCited]
}
