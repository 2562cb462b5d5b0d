package evidence

import (
	"slices"
	"strings"
)

// Query is a quotation to be looked up.
type Query struct {
	Pattern
	From, To int   // lines of the text, from 1; To 0: anywhere
	Excerpt  bool  // these lines are an excerpt: pieces may stand in several of its paragraphs
	Pages    []int // where it should stand; the first place on one of them counts before others
	Nearest  bool  // if it is nowhere, the passage that comes nearest is wanted
}

// Match is the place of a quotation in a text.
type Match struct {
	Found     bool
	From, To  int   // lines, from 1
	FromPage  int   // 0: the text has no pages
	ToPage    int   // the last page it is on
	Gaps      []gap // what its ellipses leave out
	Scattered bool  // it is not found, though all its pieces are there
	TooMuch   bool  // it is not found, and the search was given up before the end
	near      near
	verbatim  bool // it is found with its ellipses as written

	start, end int // in the text
	left       int // halves of words that were left out
}

// Span is where a quotation that was found begins and ends in the text, in bytes.
func (m *Match) Span() (start, end int) { return m.start, m.end }

// gap is a part of the text that an ellipsis stands for.
type gap struct{ start, end int }

// onPage tells whether a match is on one of some pages. Without any it is.
func (m *Match) onPage(pages []int) bool {
	return len(pages) == 0 || slices.ContainsFunc(pages, func(page int) bool { return m.FromPage <= page && page <= m.ToPage })
}

// maxLeftOut is how much the ellipses of a quotation may leave out, in halves of words (SCIENCE 1).
const maxLeftOut = 2 * 60

// Find looks many quotations up in one pass over the text. It takes time linear in the text and memory that does not
// grow with it.
func (t *Text) Find(queries []Query) []Match { return t.find(queries, nil) }

// find also looks for numbers. A quotation with ellipses may be found as it is written: the source has them too.
func (t *Text) find(queries []Query, figures *figures) []Match {
	all := slices.Clone(queries)
	for _, q := range queries {
		if len(q.pieces) < 2 {
			continue
		}
		q.Pattern, q.Nearest = q.verbatim(), false
		all = append(all, q)
	}
	matches := t.findAll(all, figures)
	for i, k := 0, len(queries); i < len(queries); i++ {
		if len(queries[i].pieces) < 2 {
			continue
		}
		if matches[k].Found {
			matches[i] = matches[k]
		}
		matches[i].verbatim = matches[k].Found
		k++
	}
	return matches[:len(queries)]
}

func (t *Text) findAll(queries []Query, figures *figures) []Match {
	s := search{text: t, queries: queries, matches: make([]Match, len(queries)), chains: make([][][]chain, len(queries)),
		seen: make([]uint64, len(queries)), entries: map[string]*entry{}, figures: figures}
	pieces := map[string]*target{}
	for i := range queries {
		s.await(i, pieces)
	}
	s.run()
	s.conclude()
	return s.matches
}

// maxSteps bounds how far a search tries pieces in vain, and maxTracks how far it follows words. No text that people write
// comes near them.
const (
	maxSteps  = 1 << 26
	maxTracks = 1 << 29
)

// search is a pass over a text.
type search struct {
	text    *Text
	queries []Query
	matches []Match
	chains  [][][]chain // of each query, for each piece: the ways to place it and those before it
	seen    []uint64    // which pieces of a query are there at all
	track   []*tracker
	figures *figures // numbers that are looked for; nil: none
	window  window
	entries map[string]*entry // by the words that matter
	filter  [1 << 10]uint64
	open    int // queries that wait
	tracked int // steps that following words took
	recent  recent
}

// entry is a word that matters.
type entry struct {
	targets []*target // pieces that may begin with it
	hits    []hit     // quotations that have it, whose nearest passage is wanted
}

// target is a piece that quotations wait for.
type target struct {
	piece []atom
	users []user
}

type user struct{ query, piece int }

func (s *search) await(i int, pieces map[string]*target) {
	q := &s.queries[i]
	if len(q.pieces) == 0 {
		return
	}
	s.open++
	s.chains[i] = make([][]chain, len(q.pieces))
	for k, piece := range q.pieces {
		id := identity(piece)
		t := pieces[id]
		if t == nil {
			t = &target{piece: piece}
			pieces[id] = t
			for _, key := range keys(piece) {
				e := s.entry(key)
				if !slices.Contains(e.targets, t) {
					e.targets = append(e.targets, t)
				}
			}
		}
		t.users = append(t.users, user{i, k})
	}
	if q.Nearest {
		s.watch(i)
	}
}

// identity tells one piece from another.
func identity(piece []atom) string {
	var b strings.Builder
	for i := range piece {
		b.WriteByte('0' + byte(piece[i].glue) + 8*byte(piece[i].kind))
		if piece[i].either {
			b.WriteByte('[')
		}
		b.WriteString(piece[i].text)
	}
	return b.String()
}

func (s *search) entry(key string) *entry {
	e := s.entries[key]
	if e == nil {
		e = &entry{}
		s.entries[key] = e
		h := sketch(key)
		s.filter[h>>6] |= 1 << (h & 63)
	}
	return e
}

// sketch is a rough hash of a word: it sorts out most words that do not matter.
func sketch(text string) uint16 {
	n := len(text)
	if n == 0 {
		return 0
	}
	h := uint32(text[0])*31 + uint32(text[n-1])*1009 + uint32(text[n/2])*8191 + uint32(n)*131
	return uint16((h ^ h>>11) & 0xffff)
}

func (s *search) lookup(text string) *entry {
	if h := sketch(text); s.filter[h>>6]&(1<<(h&63)) == 0 {
		return nil
	}
	return s.entries[text]
}

func (s *search) run() {
	s.window.scanner = newScanner(s.text.raw, source)
	for n := 0; s.open > 0 || s.figures.wanted(); n++ {
		a := s.window.at(n)
		if a == nil {
			return
		}
		s.window.forget(n - 2)
		s.visit(n)
	}
}

// visit tries the pieces that may begin at an atom, under each way to read it.
func (s *search) visit(n int) {
	a := *s.window.at(n)
	e := s.lookup(a.text)
	if e != nil {
		s.try(e, n)
	}
	if a.kind != word {
		return
	}
	s.figures.see(&a)
	tracked, text := e, a.text
	next := s.window.at(n + 1)
	for i := 1; next != nil && i < 4 && next.glue == lineHyphen; i++ {
		text += next.text
		tracked = s.lookup(text)
		s.try(tracked, n)
		next = s.window.at(n + 1 + i)
	}
	if next != nil && next.kind == raised && next.glue == nothing {
		s.try(s.lookup(text+strings.TrimRight(next.text, "+-")), n)
	}
	if a.glue != lineHyphen {
		s.follow(tracked, &a)
	}
}

func (s *search) try(e *entry, n int) {
	if e == nil {
		return
	}
	for _, t := range e.targets {
		if len(t.users) == 0 {
			continue
		}
		if s.window.steps > maxSteps {
			return
		}
		if end, ok := s.window.fit(n, t.piece, s.text.origin); ok && !s.signed(n) {
			s.found(t, n, end)
		}
	}
}

// signed tells whether the n-th atom is a number behind a minus with a space between: its sign belongs to it.
func (s *search) signed(n int) bool {
	a := s.window.at(n)
	if n <= s.window.base || a.glue != space || a.text[0] < '0' || a.text[0] > '9' {
		return false
	}
	sign := s.window.at(n - 1)
	if sign.text != "-" || !strings.HasPrefix(s.text.raw[sign.start:], "\u2212") {
		return false
	}
	if n-1 == s.window.base {
		return true
	}
	last := s.window.at(n - 2).text
	return last[len(last)-1] < '0' || last[len(last)-1] > '9' // else it is a difference
}

// found places a piece for the quotations that have it.
func (s *search) found(t *target, n, end int) {
	first, last := s.window.at(n), s.window.at(end-1)
	o := occurrence{first: first.place, last: last.place, start: first.start, end: last.end, words: last.place.words + said([]atom{*last})}
	t.users = slices.DeleteFunc(t.users, func(u user) bool { return s.place(u, o) })
}
