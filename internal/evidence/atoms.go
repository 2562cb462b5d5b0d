package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// atom is the smallest part of a text that is compared as a whole: a word with what belongs to it, or a mark.
type atom struct {
	text       string // in normal form
	kind       kind
	glue       glue // between it and the atom before
	either     bool // [T]he: the case of its first letter does not count
	start, end int  // in the text
	place      place
}

// kind says what an atom is.
type kind uint8

const (
	word      kind = iota
	mark           // punctuation, a sign
	raised         // a figure behind a letter or a point: a reference mark or the charge of an ion
	reference      // [12]
)

// omittable tells whether a quotation may leave an atom of its source out.
func (k kind) omittable() bool { return k == raised || k == reference }

// glue is what stands between two atoms.
type glue uint8

const (
	nothing    glue = iota
	space           // white space
	hyphen          // well-known
	openHyphen      // pre- and post-war
	lineHyphen      // at the end of a line: it may be there or not
)

// place says where in a text an atom is. All but words count from 1.
type place struct {
	line, page, paragraph int
	words                 int // halves of words before it: a letter of a script without spaces is half a word
}

// side says which side of a comparison is read.
type side uint8

const (
	source side = iota
	quoted
)

// scanner cuts a text into atoms. It reads the text once and keeps nothing of it.
type scanner struct {
	chars
	side  side
	at    place
	atom  atom // the last that was read
	begun bool
	held  heldDash
	gap   bool // white space is pending

	joined     glue // before the atom that is being read
	atomBefore kind

	solid bool // the last atom ends with a character that needs no space behind it
	buf   []byte
}

// heldDash is a dash directly behind an atom, which joins it with the next.
type heldDash uint8

const (
	noDash heldDash = iota
	dashBehindWord
	dashBehindMark
)

func newScanner(text string, side side) *scanner {
	return &scanner{chars: chars{raw: text}, side: side, at: place{line: 1, page: 1, paragraph: 1}}
}

// atomsOf returns all atoms of a short text.
func atomsOf(text string, side side) []atom {
	var found []atom
	for s := newScanner(text, side); s.next(); {
		found = append(found, s.atom)
	}
	return found
}

// next reads one atom; false at the end.
func (s *scanner) next() bool {
	if !s.skip() {
		return false
	}
	s.atomBefore = s.atom.kind
	s.atom = atom{start: s.place(), place: s.at}
	if !s.fastWord() {
		s.slowAtom()
	}
	return true
}

// skip passes over what stands between atoms and remembers it; false at the end.
func (s *scanner) skip() bool {
	if s.oneSpace() {
		return true
	}
	line := false
	for {
		ch, ok := s.peek(0)
		switch {
		case !ok:
			return false
		case ch.r == '\n':
			s.newline(s.take())
			s.gap, line = true, true
			continue
		case unicode.IsSpace(ch.r):
			s.take()
			if ch.r == '\f' {
				s.at.page++
			}
			s.gap = true
			continue
		case ch.r == '-' && !ch.raised && s.joins():
			s.take()
			continue
		case ch.r == '[' && s.sic():
			continue
		}
		s.settle(line, ch.r)
		return true
	}
}

// oneSpace passes over one space between plain words, as most are parted.
func (s *scanner) oneSpace() bool {
	at, raw := s.pos, s.raw
	if len(s.ahead) > 0 || !s.begun || s.held != noDash || s.gap || at+1 >= len(raw) || at+1 >= s.emphasis.end || raw[at] != ' ' ||
		!plainLetter(raw[at+1]) {
		return false
	}
	if at+2 < len(raw) && raw[at+2] >= utf8.RuneSelf { // a mark may combine
		return false
	}
	s.pos++
	s.gap = true
	s.settle(false, 'a')
	return true
}

func (s *scanner) newline(ch char) {
	s.at.line++
	if blankLine(s.raw, ch.end) {
		s.at.paragraph++
	}
}

// joins takes a dash directly behind an atom as what joins it with the next. Several dashes are one.
func (s *scanner) joins() bool {
	if s.held != noDash && !s.gap {
		return true
	}
	if !s.begun || s.gap || s.held != noDash {
		return false
	}
	if s.atom.kind == mark && !closes(s.atom.text) && s.digitFollows(1) { // (−5
		return false
	}
	s.held = dashBehindWord
	if s.atom.kind == mark || s.atom.kind == reference {
		s.held = dashBehindMark
	}
	return true
}

func closes(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.Pe, r) || r == '\'' || r == '+'
}

// settle turns what was passed into the glue before the next atom.
func (s *scanner) settle(line bool, next rune) {
	switch {
	case s.held == dashBehindWord && line:
		s.pending(lineHyphen)
	case s.held != noDash && s.gap:
		s.pending(openHyphen)
	case s.held != noDash:
		s.pending(hyphen)
	case s.gap && s.begun && !s.solid && !solid(next):
		s.pending(space)
	default:
		s.pending(nothing)
	}
}

func (s *scanner) pending(g glue) {
	s.held, s.gap = noDash, false
	s.joined = g
}

// sic drops [sic], with the space before it.
func (s *scanner) sic() bool {
	const sic = "[sic]"
	for i, want := range sic {
		if ch, ok := s.peek(i); !ok || unicode.ToLower(ch.r) != want {
			return false
		}
	}
	for range sic {
		s.take()
	}
	s.gap = false
	return true
}

// fastWord reads a word of plain letters with a plain end, as most are.
func (s *scanner) fastWord() bool {
	start, raw := s.atom.start, s.raw
	if len(s.ahead)-s.first > 1 || s.sup > start || start >= len(raw) || !plainLetter(raw[start]) {
		return false
	}
	end := start + 1
	for end < len(raw) && plainLetter(raw[end]) {
		end++
	}
	if end < len(raw) {
		if b := raw[end]; b >= utf8.RuneSelf || b >= '0' && b <= '9' || b == '\'' || b == '"' || b == '<' || b == '*' || b == '_' ||
			b == '`' {
			return false
		}
	}
	s.ahead, s.first, s.pos = s.ahead[:0], 0, end
	s.finish(word, raw[start:end], end)
	return true
}

func plainLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// finish completes the atom.
func (s *scanner) finish(k kind, text string, end int) {
	s.atom.kind, s.atom.text, s.atom.end, s.atom.glue = k, text, end, s.joined
	s.begun = true
	last, _ := utf8.DecodeLastRuneInString(text)
	s.solid = last >= utf8.RuneSelf && solid(last)
	if k != word {
		return
	}
	s.at.words += 2
	if s.solid {
		s.at.words--
	}
}

// done completes the atom with the bytes that were collected. Where they are as in the text, they are not copied.
func (s *scanner) done(k kind, end int) {
	if text := s.raw[s.atom.start:end]; text == string(s.buf) {
		s.finish(k, text, end)
		return
	}
	s.finish(k, string(s.buf), end)
}

func (s *scanner) slowAtom() {
	s.buf = s.buf[:0]
	ch, _ := s.peek(0)
	switch {
	case ch.raised:
		s.raisedAtom()
	case s.startsNumber():
		s.number()
	case ch.r == '[' && s.bracketed():
	case ch.r == '^' && s.exponentFollows(0):
		s.word(ch)
	case wordRune(ch.r):
		s.word(ch)
	default:
		s.markAtom()
	}
}

// markAtom reads one mark; quotation marks beside each other are one.
func (s *scanner) markAtom() {
	ch := s.take()
	if ch.r == '\u2032' {
		ch.r = '\''
	}
	s.buf = utf8.AppendRune(s.buf, ch.r)
	for ch.r == '\'' || ch.r == '-' {
		next, ok := s.peek(0)
		if !ok || next.raised || next.r != ch.r && (ch.r != '\'' || next.r != '\u2032') {
			break
		}
		ch.end = s.take().end
	}
	s.done(mark, ch.end)
}

// word reads a word: letters and digits, with apostrophes between letters and points and commas between digits.
func (s *scanner) word(first char) {
	if unspaced(first.r) {
		s.unspacedLetter()
		return
	}
	end := first.end
	before := rune(0)
	for {
		ch, ok := s.peek(0)
		if !ok {
			break
		}
		if ch.raised && unicode.IsDigit(before) || ch.r == '^' && s.exponentFollows(0) && (len(s.buf) == 0 || unicode.IsDigit(before)) {
			end = s.exponent()
			before = '0'
			continue
		}
		if ch.raised || !wordRune(ch.r) && !s.inside(before, ch.r) || unspaced(ch.r) {
			break
		}
		s.take()
		s.buf = utf8.AppendRune(s.buf, ch.r)
		before, end = ch.r, ch.end
	}
	if unicode.IsDigit(before) {
		end = s.unitSign(end)
	}
	s.done(word, end)
}

// inside tells whether a mark between two characters belongs to their word: don't, 1.5, 10,000.
func (s *scanner) inside(before, r rune) bool {
	next, ok := s.peek(1)
	return ok && !next.raised && insideWord(before, r, next.r)
}

func (s *scanner) unspacedLetter() {
	ch := s.take()
	s.buf = utf8.AppendRune(s.buf, ch.r)
	for {
		next, ok := s.peek(0)
		if !ok || !unicode.IsMark(next.r) {
			break
		}
		s.buf = utf8.AppendRune(s.buf, s.take().r)
		ch.end = next.end
	}
	s.done(word, ch.end)
}

// exponentFollows tells whether ^5, ^-5 or ^{5} begins at the n-th character that follows.
func (s *scanner) exponentFollows(n int) bool {
	ch, ok := s.peek(n + 1)
	if ok && ch.r == '{' {
		n++
		ch, ok = s.peek(n + 1)
	}
	if ok && (ch.r == '-' || ch.r == '+') {
		ch, ok = s.peek(n + 2)
	}
	return ok && unicode.IsDigit(ch.r)
}

// exponent reads a power, however it is raised: 10⁵, 10<sup>5</sup>, 10^5.
func (s *scanner) exponent() (end int) {
	s.buf = append(s.buf, '^')
	first, _ := s.peek(0)
	if first.raised {
		return s.figures(func(ch char) bool { return ch.raised })
	}
	s.take()
	braced := false
	if ch, _ := s.peek(0); ch.r == '{' {
		s.take()
		braced = true
	}
	if ch, _ := s.peek(0); ch.r == '-' || ch.r == '+' {
		s.take()
		s.buf = append(s.buf, byte(ch.r))
	}
	end = s.figures(func(ch char) bool { return !ch.raised && unicode.IsDigit(ch.r) })
	if ch, ok := s.peek(0); braced && ok && ch.r == '}' {
		end = s.take().end
	}
	return end
}

func (s *scanner) figures(fits func(char) bool) (end int) {
	for {
		ch, ok := s.peek(0)
		if !ok || !fits(ch) {
			return end
		}
		s.take()
		s.buf = utf8.AppendRune(s.buf, ch.r)
		end = ch.end
	}
}

// raisedAtom reads figures that are raised: a power behind a bracket, else a reference mark or the charge of an ion.
func (s *scanner) raisedAtom() {
	kind := raised
	if s.begun && s.joined == nothing && s.atomBefore == mark && bracketEnd(s.last()) {
		kind = word
		s.buf = append(s.buf, '^')
	}
	end := s.figures(func(ch char) bool {
		if ch.raised {
			return true
		}
		next, ok := s.peek(1)
		return kind == raised && (ch.r == ',' || ch.r == '-') && ok && next.raised
	})
	s.done(kind, end)
}

// last returns the character of the text before the atom.
func (s *scanner) last() rune {
	r, _ := utf8.DecodeLastRuneInString(s.raw[:s.atom.start])
	return r
}

func bracketEnd(r rune) bool { return r == ')' || r == ']' || r == '}' }

// bracketed reads [12], which refers to a list of sources, and [T]he, whose case does not count.
func (s *scanner) bracketed() bool {
	const longest = 48
	text := ""
	for i := 1; i < longest; i++ {
		ch, ok := s.peek(i)
		if !ok || ch.r == '[' {
			return false
		}
		if ch.r == ']' {
			return s.numbered(text, i) || s.eitherCase(text)
		}
		if !unicode.IsSpace(ch.r) {
			text += string(ch.r)
		}
	}
	return false
}

// numbered reads [12], [3, 4] and [1–3].
func (s *scanner) numbered(text string, length int) bool {
	if text == "" || strings.Trim(text, "0123456789,;-") != "" || text[0] < '0' || text[0] > '9' {
		return false
	}
	var end int
	for range length + 1 {
		ch := s.take()
		if ch.r == '\n' {
			s.newline(ch)
		}
		end = ch.end
	}
	s.buf = append(append(append(s.buf, '['), text...), ']')
	s.done(reference, end)
	return true
}

// eitherCase reads [T]he as The or the. A quotation may also write [A] word.
func (s *scanner) eitherCase(text string) bool {
	letter, size := utf8.DecodeRuneInString(text)
	if size != len(text) || !unicode.IsLetter(letter) {
		return false
	}
	next, ok := s.peek(3)
	if !ok || !unicode.IsLetter(next.r) && (s.side == source || next.r != ' ') {
		return false
	}
	s.take()
	s.take()
	end := s.take().end
	s.buf = utf8.AppendRune(s.buf, letter)
	if unicode.IsLetter(next.r) {
		s.word(next)
	} else {
		s.done(word, end)
	}
	s.atom.either = true
	return true
}
