package evidence

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"brenner/internal/textnorm"
)

// Text is a text in normal form: what is left of it when typography, emphasis and line breaks are taken
// out. Hyphens after a letter are taken out too, and remembered. It is immutable.
type Text struct {
	norm  string
	joins []join
	lines []int // where in norm each line of the text begins
}

// join is a place where a hyphen was between a letter and what follows.
type join struct {
	at   int // in norm
	kind joinKind
}

// joinKind says how the hyphen was written.
type joinKind uint8

const (
	noJoin     joinKind = iota
	hyphen              // well-known
	openHyphen          // pre- and post-war
	lineHyphen          // at the end of a line: it may be there or not
)

// fits tells whether two ways of writing a hyphen are the same.
func (k joinKind) fits(other joinKind) bool {
	return k == other || k == lineHyphen || other == lineHyphen
}

// Normalise brings a text into normal form. It takes linear time.
func Normalise(text string) *Text {
	n := normaliser{out: make([]byte, 0, len(text)), lines: []int{0}}
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf {
			if b != '\r' || i+1 == len(text) || text[i+1] != '\n' {
				n.add(rune(b))
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if quotationMark(r) || dash(r) || invisible(r) { // before NFKC takes a spacing accent apart
			n.add(r)
			i += size
			continue
		}
		end := i + size // a run of other characters, with the marks that combine
		for end < len(text) && text[end] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[end:])
			if quotationMark(r) || dash(r) || invisible(r) {
				break
			}
			end += size
		}
		i = n.compose(text, i, end)
	}
	return &Text{norm: string(n.out), joins: n.joins, lines: n.lines}
}

// normaliser writes the normal form of a text, character by character.
type normaliser struct {
	out    []byte
	joins  []join
	lines  []int
	letter bool     // the last character is a letter
	space  bool     // white space is pending
	held   joinKind // a hyphen is pending
}

// compose adds a run of characters that are not ASCII in NFKC. An ASCII letter before it may combine
// with the first of them, and has been written already.
func (n *normaliser) compose(text string, start, end int) int {
	if first, _ := utf8.DecodeRuneInString(text[start:end]); unicode.IsMark(first) && !n.space && n.held == noJoin && len(n.out) > 0 {
		_, size := utf8.DecodeLastRune(n.out)
		before := string(n.out[len(n.out)-size:])
		n.out = n.out[:len(n.out)-size]
		n.addAll(textnorm.NFKC(before + text[start:end]))
		return end
	}
	n.addAll(textnorm.NFKC(text[start:end]))
	return end
}

func (n *normaliser) addAll(text string) {
	for _, r := range text {
		n.add(r)
	}
}

func (n *normaliser) add(r rune) {
	switch {
	case r < utf8.RuneSelf && wordRune(r):
		n.flush(r)
		n.out = append(n.out, byte(r))
		n.letter = r > '9'
	case r == '\n' || r == '\r':
		if r == '\n' {
			n.lines = append(n.lines, len(n.out))
		}
		n.space = true
		if n.held != noJoin {
			n.held = lineHyphen
		}
	case unicode.IsSpace(r):
		n.space = true
		if n.held == hyphen {
			n.held = openHyphen
		}
	case invisible(r):
	case dash(r):
		n.addDash()
	case quotationMark(r):
		if n.space || n.held != noJoin || len(n.out) == 0 || n.out[len(n.out)-1] != '\'' { // one for several
			n.write('\'')
		}
	case r == ']':
		n.closeBracket()
	default:
		n.write(r)
	}
}

// write writes a character after what is pending.
func (n *normaliser) write(r rune) {
	n.flush(r)
	n.out = utf8.AppendRune(n.out, r)
	n.letter = unicode.IsLetter(r) || unicode.IsMark(r)
}

// flush writes what is pending before the next character.
func (n *normaliser) flush(next rune) {
	switch {
	case n.held != noJoin:
		n.joins = append(n.joins, join{len(n.out), n.held})
	case n.space && len(n.out) > 0 && !n.breaksNothing(next):
		n.out = append(n.out, ' ')
	}
	n.held, n.space = noJoin, false
}

// breaksNothing tells whether white space before a character is only where a line was wrapped: scripts
// without spaces have none of their own.
func (n *normaliser) breaksNothing(next rune) bool {
	if next >= utf8.RuneSelf && solid(next) {
		return true
	}
	if n.out[len(n.out)-1] < utf8.RuneSelf {
		return false
	}
	last, _ := utf8.DecodeLastRune(n.out)
	return solid(last)
}

// addDash holds a dash after a letter back; several dashes are one.
func (n *normaliser) addDash() {
	switch {
	case n.held != noJoin && !n.space:
	case n.letter && !n.space && n.held == noJoin:
		n.held = hyphen
	case !n.space && n.held == noJoin && len(n.out) > 0 && n.out[len(n.out)-1] == '-':
	default:
		n.write('-')
	}
}

// closeBracket writes a closing bracket, or takes [sic] back together with the space before it.
func (n *normaliser) closeBracket() {
	const sic = "[sic"
	at := len(n.out) - len(sic)
	if n.space || n.held != noJoin || at < 0 || !foldEqual(n.out[at:], sic) {
		n.write(']')
		return
	}
	if at > 0 && n.out[at-1] == ' ' {
		at--
	}
	n.out = n.out[:at]
	for len(n.joins) > 0 && n.joins[len(n.joins)-1].at >= at {
		n.joins = n.joins[:len(n.joins)-1]
	}
	for i := len(n.lines) - 1; i >= 0 && n.lines[i] > at; i-- {
		n.lines[i] = at
	}
	last, _ := utf8.DecodeLastRune(n.out)
	n.letter = unicode.IsLetter(last)
}

func foldEqual(b []byte, lower string) bool {
	for i := range b {
		if b[i]|0x20 != lower[i]|0x20 {
			return false
		}
	}
	return true
}

// Same tells whether two texts have the same words.
func Same(a, b string) bool { return Normalise(a).norm == Normalise(b).norm }

// line returns the number of the line, from 1, of a place in the normal form.
func (t *Text) line(at int) int {
	i, _ := slices.BinarySearchFunc(t.lines, at+1, cmp.Compare[int])
	return i
}

// joinsIn returns the joins strictly inside a range.
func (t *Text) joinsIn(start, end int) []join {
	at := func(j join, place int) int { return cmp.Compare(j.at, place) }
	first, _ := slices.BinarySearchFunc(t.joins, start+1, at)
	last, _ := slices.BinarySearchFunc(t.joins[first:], end, at)
	return t.joins[first : first+last]
}

// joinAt tells what hyphen is at a place.
func (t *Text) joinAt(place int) joinKind {
	i, ok := slices.BinarySearchFunc(t.joins, place, func(j join, place int) int { return cmp.Compare(j.at, place) })
	if !ok {
		return noJoin
	}
	return t.joins[i].kind
}

// edge tells whether a word may begin or end at a place.
func (t *Text) edge(place int) bool {
	if place <= 0 || place >= len(t.norm) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(t.norm[:place])
	after, size := utf8.DecodeRuneInString(t.norm[place:])
	if unicode.IsMark(after) {
		return t.joinAt(place) != noJoin
	}
	inner := false
	switch {
	case wordRune(before) && wordRune(after):
		inner = !unspaced(before) && !unspaced(after)
	case wordRune(before):
		next, _ := utf8.DecodeRuneInString(t.norm[place+size:])
		inner = insideWord(before, after, next)
	case wordRune(after):
		last, n := utf8.DecodeLastRuneInString(t.norm[:place])
		first, _ := utf8.DecodeLastRuneInString(t.norm[:place-n])
		inner = insideWord(first, last, after) && t.joinAt(place-n) == noJoin // pre-"it's": the mark opens a quotation
	}
	return !inner || t.joinAt(place) != noJoin
}

// insideWord tells whether a mark between two characters belongs to their word: don't, 1.5, 10,000.
func insideWord(before, mark, after rune) bool {
	switch mark {
	case '\'':
		return unicode.IsLetter(before) && unicode.IsLetter(after) && !unspaced(before) && !unspaced(after)
	case '.', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}
