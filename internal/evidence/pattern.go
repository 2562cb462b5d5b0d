package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/pattern"
)

// Pattern is a quote made ready to be looked up: pieces that must occur in a text in their order.
type Pattern struct {
	pieces []Text // in normal form
	words  int
	chars  int // letters of scripts without spaces
}

// How much a quote must say to be checked (SCIENCE 1).
const (
	minWords = 3
	minChars = 6
)

var ellipsis = pattern.Lazy(`\.(?: ?\.){2,}`)

// NewPattern reads a quote.
func NewPattern(quote string) Pattern {
	t := Normalise(quote)
	var p Pattern
	at := 0
	for _, cut := range append(ellipsis().FindAllStringIndex(t.norm, -1), []int{len(t.norm), len(t.norm)}) {
		if piece := t.trimmed(at, cut[0]); piece.norm != "" {
			p.pieces = append(p.pieces, piece)
			for word := range strings.FieldsSeq(piece.norm) {
				p.count(word)
			}
		}
		at = cut[1]
	}
	return p
}

func (p *Pattern) count(word string) {
	words := 0
	for _, r := range word {
		switch {
		case unspaced(r):
			p.chars++
		case wordRune(r):
			words = 1
		}
	}
	p.words += words
}

// Long tells whether the quote has three words, or six letters of a script without spaces.
func (p Pattern) Long() bool { return p.words >= minWords || p.chars >= minChars }

// trimmed returns a part of a text without the punctuation at its ends.
func (t *Text) trimmed(start, end int) Text {
	outer := func(r rune) bool { return r == ' ' || unicode.IsPunct(r) }
	part := t.norm[start:end]
	rest := strings.TrimLeftFunc(part, outer)
	start += len(part) - len(rest)
	end = start + len(strings.TrimRightFunc(rest, outer))
	piece := Text{norm: t.norm[start:end]}
	for _, j := range t.joinsIn(start, end) {
		piece.joins = append(piece.joins, join{j.at - start, j.kind})
	}
	return piece
}

// standsAt tells whether a piece is at a place of a text.
func (t *Text) standsAt(piece *Text, place int) bool {
	end := place + len(piece.norm)
	if end > len(t.norm) || t.norm[place:end] != piece.norm || !t.edge(place) || !t.edge(end) {
		return false
	}
	return joinsFit(t.joinsIn(place, end), piece.joins, place)
}

// joinsFit tells whether the hyphens of a passage fit those of a piece that begins at start.
func joinsFit(passage, piece []join, start int) bool {
	for len(passage) > 0 || len(piece) > 0 {
		switch {
		case len(piece) == 0 || len(passage) > 0 && passage[0].at-start < piece[0].at:
			if !passage[0].kind.fits(noJoin) {
				return false
			}
			passage = passage[1:]
		case len(passage) == 0 || piece[0].at < passage[0].at-start:
			if !piece[0].kind.fits(noJoin) {
				return false
			}
			piece = piece[1:]
		default:
			if !piece[0].kind.fits(passage[0].kind) {
				return false
			}
			piece, passage = piece[1:], passage[1:]
		}
	}
	return true
}

// words cuts a text into words; a letter of a script without spaces is one.
func words(text string) []string {
	var found []string
	for word := range strings.FieldsSeq(text) {
		start := 0
		for i, r := range word {
			if unspaced(r) {
				if i > start {
					found = append(found, word[start:i])
				}
				found = append(found, word[i:i+utf8.RuneLen(r)])
				start = i + utf8.RuneLen(r)
			}
		}
		if start < len(word) {
			found = append(found, word[start:])
		}
	}
	return found
}
