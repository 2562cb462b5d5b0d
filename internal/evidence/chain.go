package evidence

import "slices"

// occurrence is a place where a piece of a quotation stands.
type occurrence struct {
	first, last place // of its first and last atom
	start, end  int   // in the text
	words       int   // halves of words before its end
}

// chain is a way to place the first pieces of a quotation, up to one of them.
type chain struct {
	first occurrence
	last  occurrence
	left  int // halves of words that its ellipses leave out
	gaps  []gap
}

// maxChains bounds the ways to place a piece that are remembered: those that are too far behind cannot go on.
const maxChains = maxLeftOut

// place adds a piece to the ways in which its quotation may be placed; true if the quotation needs no more of it.
func (s *search) place(u user, o occurrence) (settled bool) {
	m, q := &s.matches[u.query], &s.queries[u.query]
	if s.settled(u.query) {
		return true
	}
	if q.To > 0 && (o.first.line < q.From || o.last.line > q.To) {
		return false
	}
	s.seen[u.query] |= 1 << min(u.piece, 63)
	c := chain{first: o, last: o}
	if u.piece > 0 {
		var ok bool
		if c, ok = s.extend(s.chains[u.query][u.piece-1], o, q); !ok {
			return false
		}
	}
	if u.piece < len(q.pieces)-1 {
		chains := s.chains[u.query][u.piece]
		chains = append(chains, c)
		s.chains[u.query][u.piece] = chains[max(0, len(chains)-maxChains):]
		return false
	}
	s.accept(m, q, c)
	if s.settled(u.query) {
		s.open--
		return true
	}
	return false
}

// settled tells whether nothing better can be found for a quotation: it leaves nothing out, and is where it should be.
func (s *search) settled(query int) bool {
	m := &s.matches[query]
	return m.Found && m.left == 0 && m.onPage(s.queries[query].Pages)
}

// extend continues the best of some ways with an occurrence of the next piece: the pieces stand in order in one
// paragraph, excerpt or page, and little is left out.
func (s *search) extend(ways []chain, o occurrence, q *Query) (chain, bool) {
	best := -1
	for i := range ways {
		c := &ways[i]
		if c.last.end > o.start || c.left+o.first.words-c.last.words > maxLeftOut || !s.together(c.first, o, q) {
			continue
		}
		if best < 0 || c.left-c.last.words < ways[best].left-ways[best].last.words {
			best = i
		}
	}
	if best < 0 {
		return chain{}, false
	}
	c := ways[best]
	return chain{
		first: c.first, last: o, left: c.left + max(0, o.first.words-c.last.words),
		gaps: append(slices.Clip(c.gaps), gap{c.last.end, o.start}),
	}, true
}

func (s *search) together(a, b occurrence, q *Query) bool {
	return q.Excerpt || a.first.paragraph == b.last.paragraph || s.text.origin == Extracted && a.first.page == b.last.page
}

// accept takes a way to place a whole quotation, if it is better than the one that is known: on the page that was named,
// then leaving out less.
func (s *search) accept(m *Match, q *Query, c chain) {
	found := Match{Found: true, From: c.first.first.line, To: c.last.last.line, Gaps: c.gaps, start: c.first.start, end: c.last.end,
		left: c.left}
	if s.text.origin == Extracted {
		found.FromPage, found.ToPage = c.first.first.page, c.last.last.page
	}
	if m.Found {
		old, now := m.onPage(q.Pages), found.onPage(q.Pages)
		if old && !now || old == now && m.left <= found.left {
			return
		}
	}
	*m = found
}
