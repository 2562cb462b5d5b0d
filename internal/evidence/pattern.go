package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/pattern"
)

// Pattern is a quotation made ready to be looked up: pieces that must stand in a text in their order.
type Pattern struct {
	pieces [][]atom
	whole  []atom // all of it, its ellipses as written: the source may have them too; nil: it has none
	halves []int  // how much each piece says: two for a word, one for a letter of a script without spaces
}

// How much a quotation must say to be one, and the pieces around an ellipsis (SCIENCE 1), in halves of words: three
// words or six letters, two words or four letters.
const (
	leastQuote = 6
	leastPiece = 6
	leastEnd   = 4
)

// ellipsis is … or three points and more, bare or in brackets.
var ellipsis = pattern.Lazy(`[\[(（［]?[ \x{a0}]*(?:[…⋯]|\.(?:[ \x{a0}]?\.){2,})(?:[ \x{a0}]?[.…⋯])*[ \x{a0}]*[\])）］]?`)

// NewPattern reads a quotation.
func NewPattern(quote string) Pattern {
	var p Pattern
	at := 0
	for _, cut := range append(ellipsis().FindAllStringIndex(quote, -1), []int{len(quote), len(quote)}) {
		p.add(trimmed(atomsOf(quote[at:cut[0]], quoted)))
		at = cut[1]
	}
	if len(p.pieces) > 1 {
		p.whole = trimmed(atomsOf(quote, quoted))
	}
	return p
}

// verbatim is the quotation with its ellipses as the source itself has them.
func (p Pattern) verbatim() Pattern {
	return Pattern{pieces: [][]atom{p.whole}, halves: []int{said(p.whole)}}
}

func (p *Pattern) add(piece []atom) {
	if len(piece) > 0 {
		p.pieces = append(p.pieces, piece)
		p.halves = append(p.halves, said(piece))
	}
}

// said measures what atoms say, in halves of words. A compound word is one.
func said(atoms []atom) int {
	n := 0
	for i := range atoms {
		switch {
		case atoms[i].kind != word || i > 0 && atoms[i].glue >= hyphen && atoms[i].glue != openHyphen && atoms[i-1].kind == word:
		case isUnspaced(atoms[i].text):
			n++
		default:
			n += 2
		}
	}
	return n
}

func isUnspaced(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unspaced(r)
}

// Long tells whether the quotation has three words, or six letters of a script without spaces.
func (p Pattern) Long() bool {
	n := 0
	for _, halves := range p.halves {
		n += halves
	}
	return n >= leastQuote
}

// scraps tells whether a piece around an ellipsis says too little to be compared.
func (p Pattern) scraps() bool {
	if len(p.pieces) < 2 {
		return false
	}
	for i, halves := range p.halves {
		if halves < leastEnd || halves < leastPiece && i > 0 && i < len(p.halves)-1 {
			return true
		}
	}
	return false
}

// trimmed takes the punctuation off the ends of a piece: it does not count there.
func trimmed(piece []atom) []atom {
	outer := func(a *atom) bool {
		r, size := utf8.DecodeRuneInString(a.text)
		return a.kind == reference || a.kind == mark && size == len(a.text) && unicode.IsPunct(r)
	}
	for len(piece) > 0 && outer(&piece[0]) {
		piece = piece[1:]
	}
	for len(piece) > 0 && outer(&piece[len(piece)-1]) {
		piece = piece[:len(piece)-1]
	}
	return piece
}

// words returns the words of the pattern, joined where a line parted them.
func (p Pattern) words() []string {
	var found []string
	for _, piece := range p.pieces {
		for i := range piece {
			switch a := &piece[i]; {
			case a.kind != word:
			case a.glue == lineHyphen && i > 0 && len(found) > 0:
				found[len(found)-1] += a.text
			default:
				found = append(found, a.text)
			}
		}
	}
	return found
}

// keys returns the words by which the beginning of a piece is found: it may be written in several ways.
func keys(piece []atom) []string {
	first := piece[0].text
	found := []string{first}
	if piece[0].either {
		r, size := utf8.DecodeRuneInString(first)
		found = []string{string(unicode.ToLower(r)) + first[size:], string(unicode.ToUpper(r)) + first[size:]}
	}
	if len(first) > 1 && first[0] == '-' { // the source may have a space behind the sign
		found = append(found, "-")
	}
	for _, key := range found {
		if i := strings.IndexByte(key, '^'); i > 0 {
			found = append(found, strings.ReplaceAll(key, "^", ""), strings.TrimSuffix(key[:i], "-"))
		}
		if len(piece) > 1 && (piece[1].glue == lineHyphen || piece[1].glue == hyphen || piece[1].kind == raised &&
			piece[1].glue == nothing) {
			var joined strings.Builder
			joined.WriteString(key)
			for i := 1; i < len(piece) && i < 4 && piece[i].glue != space && piece[i].glue != openHyphen; i++ {
				joined.WriteString(strings.TrimRight(piece[i].text, "+-"))
				found = append(found, joined.String())
			}
		}
	}
	return found
}
