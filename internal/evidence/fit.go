package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// window is the part of a text that is being compared: it reads on when a comparison needs more, and forgets what
// is behind.
type window struct {
	scanner *scanner // nil: all atoms are there
	atoms   []atom
	base    int // number of the first of them
	steps   int // that comparisons took
}

// at returns the n-th atom of the text; nil behind the end.
func (w *window) at(n int) *atom {
	for n-w.base >= len(w.atoms) {
		if w.scanner == nil || !w.scanner.next() {
			return nil
		}
		w.atoms = append(w.atoms, w.scanner.atom)
	}
	return &w.atoms[n-w.base]
}

// forgetful is how many atoms are kept before those that are behind are dropped.
const forgetful = 4096

// forget drops what is before the n-th atom.
func (w *window) forget(n int) {
	if n-w.base < forgetful || n-w.base > len(w.atoms) {
		return
	}
	w.atoms = w.atoms[:copy(w.atoms, w.atoms[n-w.base:])]
	w.base = n
}

// maxOmitted is how many reference marks a quotation may leave out in one place.
const maxOmitted = 16

// comparison lays a piece of a quotation along a text (SCIENCE 1, the same text).
type comparison struct {
	text   *window
	piece  []atom
	origin Origin
	s, q   cursor
}

// cursor is a place in a sequence of atoms.
type cursor struct {
	atom int
	byte int // in the text of the atom
}

// fit tells whether a piece stands at the n-th atom of the text, and returns the number of the atom behind it.
func (w *window) fit(n int, piece []atom, origin Origin) (end int, ok bool) {
	c := comparison{text: w, piece: piece, origin: origin, s: cursor{atom: n}}
	for c.q.atom < len(piece) {
		w.steps++
		a := w.at(c.s.atom)
		if a == nil || !c.step(a, &piece[c.q.atom]) {
			return 0, false
		}
	}
	return c.s.atom, c.s.byte == 0
}

// step compares as much of one atom with one atom of the quotation as both have.
func (c *comparison) step(a, q *atom) bool {
	if c.s.byte == 0 && c.q.byte == 0 {
		if skipped, ok := c.meet(a, q); !ok || skipped {
			return ok
		}
	}
	s, rest := a.text[c.s.byte:], q.text[c.q.byte:]
	if c.s.byte == 0 && c.q.byte == 0 && (a.either || q.either) {
		x, n := utf8.DecodeRuneInString(s)
		y, m := utf8.DecodeRuneInString(rest)
		if unicode.ToLower(x) != unicode.ToLower(y) {
			return false
		}
		c.s.byte, c.q.byte = n, m
		s, rest = s[n:], rest[m:]
	}
	n := commonPrefix(s, rest)
	c.s.byte, c.q.byte = c.s.byte+n, c.q.byte+n
	s, rest = s[n:], rest[n:]
	switch {
	case s == "" && rest == "":
		c.s, c.q = cursor{atom: c.s.atom + 1}, cursor{atom: c.q.atom + 1}
		return true
	case s == "":
		return c.quoteGoesOn(q, rest)
	case rest == "":
		return c.textGoesOn(a, s)
	}
	return c.lowered(rest)
}

// meet compares what stands before two atoms. skipped: the atom of the text was left out.
func (c *comparison) meet(a, q *atom) (skipped, ok bool) {
	if a.kind.omittable() && !c.written(a, q) {
		if c.omitted() >= maxOmitted {
			return false, false
		}
		c.s.atom++
		return true, c.q.atom > 0
	}
	return false, c.q.atom == 0 || gluesFit(a, q)
}

// written tells whether the quotation has a reference mark of its source.
func (c *comparison) written(a, q *atom) bool {
	if a.kind == q.kind {
		return a.text == q.text
	}
	return a.kind == raised && q.glue == nothing && strings.HasPrefix(a.text, q.text)
}

// omitted counts the atoms before the cursor that can be left out.
func (c *comparison) omitted() int {
	n := 0
	for n < maxOmitted && c.s.atom-n-1 >= c.text.base && c.text.at(c.s.atom-n-1).kind.omittable() {
		n++
	}
	return n
}

// gluesFit tells whether what stands before two atoms is the same.
func gluesFit(a, q *atom) bool {
	x, y := a.glue, q.glue
	switch {
	case x == y:
		return true
	case x == lineHyphen:
		return y == hyphen || y == openHyphen
	case y == lineHyphen:
		return x == hyphen || x == openHyphen
	}
	return x <= space && y <= space && (related(a) || related(q))
}

// related tells whether an atom begins with a sign that needs no space before it: p < 0.05 and p<0.05 are one.
func related(a *atom) bool {
	r, _ := utf8.DecodeRuneInString(a.text)
	return relation(r)
}

// quoteGoesOn decides whether the quotation may go on where an atom of the text ends.
func (c *comparison) quoteGoesOn(q *atom, rest string) bool {
	next := c.text.at(c.s.atom + 1)
	if c.origin == Extracted && rest[0] == '^' { // 10⁵ that became 105
		return c.lowered(rest)
	}
	if next == nil {
		return false
	}
	switch {
	case next.glue == lineHyphen, next.kind == raised && next.glue == nothing, q.kind == raised && next.glue == nothing:
	case c.origin == Extracted && rest[0] == '-' && next.glue == hyphen: // 10⁻⁵ that became 10-5
		c.q.byte++
	case onlySign(q.text[:c.q.byte]) && next.glue <= space: // - 5 for -5
	default:
		return false
	}
	c.s = cursor{atom: c.s.atom + 1}
	return true
}

// textGoesOn decides whether the text may go on where an atom of the quotation ends.
func (c *comparison) textGoesOn(a *atom, rest string) bool {
	if c.q.atom+1 == len(c.piece) {
		return false
	}
	next := &c.piece[c.q.atom+1]
	switch {
	case next.glue == lineHyphen, next.glue == nothing && (next.kind == raised || a.kind == raised):
	case c.origin == Extracted && next.glue == hyphen: // well-known that became wellknown
	case onlySign(a.text[:len(a.text)-len(rest)]) && next.glue <= space:
	default:
		return false
	}
	c.q = cursor{atom: c.q.atom + 1}
	return true
}

// lowered passes over the mark of a power: where a PDF was extracted, its figure may be bare.
func (c *comparison) lowered(rest string) bool {
	if c.origin != Extracted || rest[0] != '^' {
		return false
	}
	c.q.byte++
	return true
}

func onlySign(text string) bool { return text == "-" || text == "+" }

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	if a[:n] == b[:n] {
		return n
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i
}
