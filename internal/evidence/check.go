package evidence

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// Verdict says whether a quotation stands in a source that it cites.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota // it cites nothing that can be compared, or is bound to no citation
	Found
	NotFound
)

// Checked is a quotation with what became of it.
type Checked struct {
	Quote
	Verdict   Verdict
	Where     artifact.Citation // where it was found
	From      int               // line of that text, from 1
	Page      int               // of that text; 0: it has none
	Silent    []string          // if nothing could be compared: cited sources without a text (EV-Q03)
	Loose     bool              // it stands in none of the citations near it, and was not checked (EV-Q05)
	Left      string            // a negation in what its ellipses leave out (EV-Q06)
	OtherPage PageRange         // it stands on Page, and its citation names these (EV-Q08)
	Fix       string            // of one that was not found
}

// CheckedFigure is a number with what became of it.
type CheckedFigure struct {
	Figure
	Verdict Verdict
}

// Ruling is what comparing claims with their sources came to.
type Ruling struct {
	Quotes  []Checked
	Figures []CheckedFigure
}

// Check compares what a text says with the sources that it cites. Each text is read once, whatever the number of
// quotations; sources that nothing needs are not opened, and none is kept in memory.
func (l *Library) Check(claims Claims) Ruling {
	c := checker{
		library: l, quotes: make([]Checked, len(claims.Quotes)), states: make([]state, len(claims.Quotes)),
		figures: make([]CheckedFigure, len(claims.Figures)), excluded: make([]bool, len(claims.Figures)),
	}
	for i, q := range claims.Quotes {
		c.quotes[i].Quote = q
	}
	for i, f := range claims.Figures {
		c.figures[i].Figure = f
	}
	c.run()
	return Ruling{c.quotes, c.figures}
}

// CheckQuotes looks quotations up in what they cite.
func (l *Library) CheckQuotes(quotes []Quote) []Checked {
	return l.Check(Claims{Quotes: quotes}).Quotes
}

// checker compares claims with sources.
type checker struct {
	library  *Library
	quotes   []Checked
	states   []state
	figures  []CheckedFigure
	excluded []bool // numbers of which a source cannot be compared
}

// state is what is known about a quotation on the way.
type state struct {
	judged    bool // a citation could be compared
	near      near // the nearest passage of what it cites
	nearAt    artifact.Citation
	tracked   bool // that is known
	scattered artifact.Citation
	scatters  bool // its pieces stand in a source it cites, and not as an ellipsis may join them
	elsewhere artifact.Citation
	moved     bool // it stands elsewhere in a source it cites
	given     bool // a search for it was given up
}

// citedPlace is a citation that something is looked up in: a text, or a part of it.
type citedPlace struct {
	citation artifact.Citation
	pages    PageRange
	quote    int // -1: it is a number
	figure   int
}

// maxTracked is with how many quotations the nearest passages are looked for in the first pass over a text. With more it
// is cheaper to look for those that were not found in a second one.
const maxTracked = 32

func (c *checker) run() {
	texts := map[string][]citedPlace{} // by source; the transcript has no name
	var order []string
	add := func(p citedPlace) bool {
		if c.library.Resolve(p.citation) != Resolved {
			return false
		}
		name := p.citation.Evidence
		if texts[name] == nil {
			order = append(order, name)
		}
		texts[name] = append(texts[name], p)
		return true
	}
	for i := range c.quotes {
		for k, citation := range c.quotes[i].Citations {
			q := &c.quotes[i]
			if !add(citedPlace{citation: citation, pages: q.Pages[k], quote: i}) && c.library.Resolve(citation) == Unknowable {
				q.silent(citation.String())
			}
		}
	}
	for i := range c.figures {
		for _, citation := range c.figures[i].Citations {
			if !add(citedPlace{citation: citation, quote: -1, figure: i}) {
				c.excluded[i] = true
			}
		}
	}
	for _, name := range order {
		c.compare(name, texts[name])
	}
	c.decide(order, texts)
}

// compare reads one text for everything that cites it or parts of it.
func (c *checker) compare(name string, places []citedPlace) {
	text, src := c.text(name)
	if text == nil {
		for _, p := range places {
			c.without(src, p)
		}
		return
	}
	var queries []Query
	var asked []citedPlace
	var anywhere []bool
	sought := &figures{raw: text.raw}
	nearest := len(places) <= maxTracked
	for _, p := range places {
		if p.quote < 0 {
			from, to := c.lines(src, p.citation)
			sought.sought = append(sought.sought, soughtFigure{figure: p.figure, value: c.figures[p.figure].value, from: from, to: to})
			continue
		}
		q, part, ok := c.query(text, src, p)
		c.states[p.quote].judged = true
		q.Nearest = nearest
		if ok {
			queries, asked, anywhere = append(queries, q), append(asked, p), append(anywhere, false)
		}
		if part || !ok { // it may stand elsewhere in the same text
			queries = append(queries, Query{Pattern: q.Pattern, Nearest: nearest && !ok})
			asked, anywhere = append(asked, p), append(anywhere, true)
		}
	}
	for i, m := range text.find(queries, sought) {
		if anywhere[i] {
			c.aside(asked[i], m, src)
		} else {
			c.take(asked[i], m, text)
		}
	}
	for _, s := range sought.sought {
		if s.found {
			c.figures[s.figure].Verdict = Found
		}
	}
}

// take keeps what a search for a quotation came to.
func (c *checker) take(p citedPlace, m Match, text *Text) {
	q, s := &c.quotes[p.quote], &c.states[p.quote]
	switch {
	case m.Found && q.Verdict != Found && (m.verbatim || !q.Pattern.scraps()):
		q.Verdict, q.Where, q.From, q.Page = Found, p.citation, m.From, m.FromPage
		q.Left = negationLeftOut(text, m, q.Pattern)
		if wanted := c.pages(p, text); len(wanted) > 0 && !m.onPage(wanted) {
			q.OtherPage = p.pages
		}
	case m.Found:
	default:
		s.given = s.given || m.TooMuch
		if m.Scattered && !s.scatters {
			s.scatters, s.scattered = true, p.citation
		}
		s.nearer(m.near, p.citation)
	}
}

// nearer keeps a passage if it comes nearer than the one that is known.
func (s *state) nearer(n near, cited artifact.Citation) {
	if n.of == 0 {
		return
	}
	s.tracked = true
	if n.shared > s.near.shared {
		s.near, s.nearAt = n, cited
	}
}

// aside keeps where in the same text a quotation stands that is not in the part it cites.
func (c *checker) aside(p citedPlace, m Match, src *Source) {
	s := &c.states[p.quote]
	if m.Found && !s.moved {
		s.moved, s.elsewhere = true, c.citation(src, m, c.quotes[p.quote].Pattern)
		return
	}
	s.nearer(m.near, p.citation)
}

// citation names a place of a text.
func (c *checker) citation(src *Source, m Match, p Pattern) artifact.Citation {
	if src != nil {
		return src.narrowest(m, p)
	}
	sections := c.library.transcriptText()
	return artifact.Citation{First: sections.at(m.From), Last: sections.at(m.To)}
}

// text returns what is searched: a source of the pack, or the transcript.
func (c *checker) text(name string) (*Text, *Source) {
	if name == "" {
		return c.library.transcriptText().text, nil
	}
	s := c.library.Pack.Source(name)
	return s.Open().Text, s
}

// lines returns the lines of a text that a citation means; to is 0 if it means all.
func (c *checker) lines(src *Source, cited artifact.Citation) (from, to int) {
	if src == nil {
		lines := c.library.transcriptText().lines
		return lines[cited.First][0], lines[cited.Last][1]
	}
	if cited.Excerpt == "" {
		return 0, 0
	}
	e, _ := src.Excerpt(cited.Excerpt)
	return e.From, e.To
}

// query is what is looked for in a text, and whether it is looked for in a part of it only; false if it cannot be there.
// An excerpt is judged by its own words and by the lines it names: an index that says what the source does not say
// proves nothing.
func (c *checker) query(text *Text, src *Source, p citedPlace) (q Query, part, ok bool) {
	q.Pattern = c.quotes[p.quote].Pattern
	q.From, q.To = c.lines(src, p.citation)
	q.Pages = c.pages(p, text)
	part = q.To > 0
	if src == nil || p.citation.Excerpt == "" {
		return q, part, true
	}
	q.Excerpt = true
	e, _ := src.Excerpt(p.citation.Excerpt)
	return q, part, e.Text == "" || e.has(q.Pattern)
}

func (e Excerpt) has(p Pattern) bool {
	return NewText(e.Text, Written).Find([]Query{{Pattern: p, Excerpt: true}})[0].Found
}

// without looks into the excerpts of a source whose text is not there.
func (c *checker) without(src *Source, p citedPlace) {
	if p.quote < 0 {
		c.excluded[p.figure] = true
		return
	}
	q := &c.quotes[p.quote]
	for _, e := range src.AllExcerpts() {
		if q.Verdict != Found && (p.citation.Excerpt == "" || p.citation.Excerpt == e.ID) && e.has(q.Pattern) {
			q.Verdict, q.Where, q.From = Found, p.citation, e.From
			return
		}
	}
	if len(src.Open().Wrong) == 0 {
		q.silent(src.ID)
	}
}

// silent notes what is cited and has no text.
func (c *Checked) silent(name string) {
	if !slices.Contains(c.Silent, name) {
		c.Silent = append(c.Silent, name)
	}
}

// titled tells whether a quotation is the title of a source that it is near.
func (c *checker) titled(q *Checked) bool {
	for _, cited := range q.Citations {
		if cited.Evidence == "" || c.library.Resolve(cited) != Resolved {
			continue
		}
		if s := c.library.Pack.Source(cited.Evidence); s.Title != "" && len(s.Title) < 4096 && sameTitle(s.Title, q.Text) {
			q.Verdict, q.Where = Found, cited
			return true
		}
	}
	return false
}

func sameTitle(title, quote string) bool {
	trim := func(text string) string {
		var b strings.Builder
		for i, a := range trimmed(atomsOf(text, quoted)) {
			if i > 0 && a.glue != nothing {
				b.WriteByte(' ')
			}
			b.WriteString(a.text)
		}
		return b.String()
	}
	return trim(title) == trim(quote)
}

// decide says of each quotation what became of it, and explains those that do not stand where they should.
func (c *checker) decide(order []string, texts map[string][]citedPlace) {
	c.trackLate(order, texts)
	var failed []int
	for i := range c.quotes {
		if q := &c.quotes[i]; q.Verdict != Found && q.Bond > InParagraph && !c.titled(q) && c.states[i].judged && c.convicted(i) {
			q.Verdict = NotFound
			failed = append(failed, i)
		}
	}
	for i := range c.quotes {
		q, s := &c.quotes[i], &c.states[i]
		if q.Verdict != Undecided || s.judged {
			q.Silent = nil
		}
		q.Loose = q.Verdict == Undecided && s.judged
	}
	for i := range c.figures {
		if f := &c.figures[i]; c.excluded[i] {
			f.Verdict = Undecided
		} else if f.Verdict != Found {
			f.Verdict = NotFound
		}
	}
	c.explain(failed)
}

// convicted tells whether a quotation that stands nowhere in what it cites is false: one that is bound is, one that is
// near is where it is a slip.
func (c *checker) convicted(i int) bool {
	s := &c.states[i]
	return c.quotes[i].Bond == Bound && !s.given || s.near.slip() || s.moved
}

// maxExplained is for how many quotations that were not found the nearest passage is looked for.
const maxExplained = 256

// trackLate looks for the nearest passages in a second pass, where the first had too many quotations to do so.
func (c *checker) trackLate(order []string, texts map[string][]citedPlace) {
	left := maxExplained
	for _, name := range order {
		if len(texts[name]) <= maxTracked || left <= 0 {
			continue
		}
		var queries []Query
		var asked []citedPlace
		text, src := c.text(name)
		for _, p := range texts[name] {
			if text == nil || left <= 0 || p.quote < 0 || c.quotes[p.quote].Verdict == Found || c.quotes[p.quote].Bond <= InParagraph {
				continue
			}
			q, _, _ := c.query(text, src, p)
			q.Nearest, q.Pages, q.Excerpt = true, nil, false
			if p.citation.Excerpt != "" {
				q.From, q.To = 0, 0
			}
			queries, asked = append(queries, q), append(asked, p)
			left--
		}
		if len(queries) == 0 {
			continue
		}
		for i, m := range text.find(queries, nil) {
			if !m.Found {
				c.take(asked[i], m, text)
			}
		}
	}
}
