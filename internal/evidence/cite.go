package evidence

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/pattern"
)

var (
	// pagesForm are the pages behind a citation.
	pagesForm = pattern.Lazy(`^[\s,;:]*(?:pp?\.?|pages?|S\.)\s*([0-9]{1,6})(?:\s*[-–—]\s*([0-9]{1,6}))?`)
	// placeForm is another place in a source behind its citation: line 4, lines 4-7, Fig. 2b, Table 1.
	placeForm = pattern.Lazy(`^(?i)[\s,;:]*(?:l\.|ll\.|lines?|figs?\.?|figures?|tables?|sections?|sec\.|paras?\.?|paragraphs?|eqs?\.)` +
		`\s*[0-9]{1,6}[a-z]?\b(?:\s*[-–—]\s*[0-9]{1,6}[a-z]?\b)?`)
)

// citations finds what a passage cites, in order, with the pages it names.
func citations(masked string, notes notes) []citedAt {
	var found []citedAt
	artifact.EachCitation(masked, func(start, end int, c artifact.Citation) {
		at := citedAt{span: span{start, end}, Citation: c}
		rest := masked[end:min(len(masked), end+48)]
		if m := pagesForm().FindStringSubmatch(rest); m != nil {
			at.pages.First, _ = strconv.Atoi(m[1])
			at.pages.Last = at.pages.First
			if last, err := strconv.Atoi(m[2]); err == nil && last > at.pages.First {
				at.pages.Last = last
			}
			at.end += len(m[0])
		}
		at.end += len(placeForm().FindString(masked[at.end:min(len(masked), at.end+48)]))
		found = append(found, at)
	})
	if len(notes) == 0 {
		return found
	}
	for _, m := range noteMark().FindAllStringSubmatchIndex(masked, -1) {
		if m[0] == 0 && strings.HasPrefix(masked[m[1]:], ":") {
			continue // the footnote itself
		}
		for _, c := range notes[masked[m[2]:m[3]]] {
			c.span = span{m[0], m[1]}
			found = append(found, c)
		}
	}
	sort.SliceStable(found, func(i, k int) bool { return found[i].start < found[k].start })
	return found
}

// bracketPairs finds the round and square brackets of a passage that have a partner, by where they open.
func bracketPairs(masked string) []span {
	var found []span
	var stack []opening
	open := map[shape]int{} // how many of each shape are open
	for i, r := range masked {
		switch kind, opens := bracket(r); {
		case kind == noBracket:
		case opens:
			stack = append(stack, opening{kind, i})
			open[kind]++
		case open[kind] > 0:
			for top := (opening{}); top.kind != kind; {
				top = stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				open[top.kind]--
				if top.kind == kind {
					found = append(found, span{top.at, i + utf8.RuneLen(r)})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return a.start - b.start })
	return found
}

// shape is that of a bracket.
type shape uint8

const (
	noBracket shape = iota
	round
	square
)

// opening is an open bracket.
type opening struct {
	kind shape
	at   int
}

// bracket tells the shape of a bracket, and whether it opens.
func bracket(r rune) (kind shape, opens bool) {
	switch r {
	case '(', '（':
		return round, true
	case '[', '［', '【', '〔':
		return square, true
	case ')', '）':
		return round, false
	case ']', '］', '】', '〕':
		return square, false
	}
	return noBracket, false
}

// group is a place with one or several citations: brackets, or ids beside each other.
type group struct {
	span
	cited      []citedAt
	bracketed  bool
	introduced bool // ids without brackets, with a word such as see before them
}

// maxBeside is how many words may stand beside the ids in brackets that cite.
const maxBeside = 8

// groupAt returns the citations that the i-th belongs to, seen from outside of a part of the passage: the outermost
// brackets around it that do not hold the part, else it and those directly beside it.
func (p *passage) groupAt(i int, outside span) group {
	at := p.cited[i].span
	if p.cited[i].note {
		return p.collect(at)
	}
	k, _ := slices.BinarySearchFunc(p.brackets, at.start, func(b span, start int) int { return b.start - start })
	best := span{}
	for n := 0; k > 0 && n < maxNesting; n++ {
		k--
		b := p.brackets[k]
		if b.end >= at.end && !b.holds(outside) && p.cites(b) {
			best = b
		}
	}
	if best.end > 0 {
		return p.collect(best)
	}
	return p.beside(i)
}

// maxNesting bounds the brackets that are looked at before a citation.
const maxNesting = 8

// cites tells whether brackets only cite: they hold few words, and no quotation.
func (p *passage) cites(b span) bool {
	inside := p.masked[b.start:b.end]
	return len(inside) <= maxBrackets && wordsIn(inside, 2*(maxBeside+4*strings.Count(inside, "-")+4*strings.Count(inside, "§"))) &&
		len(p.quotesIn(b)) == 0
}

// maxBrackets is how long brackets that cite may be.
const maxBrackets = 4096

func (p *passage) quotesIn(s span) []pair {
	from := sort.Search(len(p.quotes), func(i int) bool { return p.quotes[i].start >= s.start })
	to := from
	for to < len(p.quotes) && p.quotes[to].end <= s.end {
		to++
	}
	return p.quotes[from:to]
}

// collect returns the citations inside brackets or a note of the passage.
func (p *passage) collect(s span) group {
	g := group{span: s, bracketed: true}
	from := sort.Search(len(p.cited), func(i int) bool { return p.cited[i].start >= s.start })
	for i := from; i < len(p.cited) && p.cited[i].start < s.end && len(g.cited) < maxCited; i++ {
		g.cited = append(g.cited, p.cited[i])
	}
	return g
}

// beside returns ids without brackets that stand beside each other: EV-001, EV-002 and §3.
func (p *passage) beside(i int) group {
	first, last := i, i
	joined := func(a, b citedAt) bool {
		return b.start >= a.end && b.start-a.end <= 8 && joinForm().MatchString(p.masked[a.end:b.start])
	}
	for first > 0 && i-first < maxCited && joined(p.cited[first-1], p.cited[first]) {
		first--
	}
	for last+1 < len(p.cited) && last-i < maxCited && joined(p.cited[last], p.cited[last+1]) {
		last++
	}
	g := group{span: span{p.cited[first].start, p.cited[last].end}, cited: p.cited[first : last+1]}
	if m := leadForm().FindStringIndex(p.masked[max(0, g.start-16):g.start]); m != nil {
		g.start = max(0, g.start-16) + m[0]
		g.introduced = true
	}
	return g
}

var (
	joinForm = pattern.Lazy(`^\s*(?:[,;/&+]|and|or|und|et)?\s*(?:and|or)?\s*$`)
	leadForm = pattern.Lazy(`(?i)(?:\b(?:see|see also|cf\.?|compare|source:?|e\.g\.,?|siehe|vgl\.|voir)\s+)$`)
)

// wordsIn tells whether a text has at most some halves of words, citations aside. It reads no further.
func wordsIn(text string, most int) bool { return halvesOf(text, most) <= most }

// halvesOf counts the halves of words of a text, until there are more than a number.
func halvesOf(text string, most int) int {
	n := 0
	for i := 0; i < len(text) && n <= most; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			i += size
			continue
		}
		start := i
		for i < len(text) {
			if r, size = utf8.DecodeRuneInString(text[i:]); !wordRune(r) && r != '\'' && r != '’' && !dash(r) && r != '.' && r != ',' ||
				unspaced(r) && i > start {
				break
			}
			i += size
			if unspaced(r) {
				break
			}
			if (r == '.' || r == ',') && (i == len(text) || !unicode.IsDigit(rune(text[i]))) {
				break
			}
		}
		switch w := text[start:i]; {
		case strings.HasPrefix(w, "EV-") && len(artifact.Citations(w)) > 0:
		case isUnspaced(w):
			n++
		default:
			n += 2
		}
	}
	return n
}
