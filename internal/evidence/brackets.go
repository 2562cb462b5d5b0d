package evidence

import (
	"unicode/utf8"

	"brenner/internal/artifact"
)

// brackets are a pair of round or square brackets that hold a citation.
type brackets struct {
	open, after int
	citations   []artifact.Citation
}

// shape is that of a bracket.
type shape uint8

const (
	noBracket shape = iota
	round
	square
)

// bracket tells the shape of a bracket, and whether it opens.
func bracket(r rune) (kind shape, opens bool) {
	switch r {
	case '(', '（':
		return round, true
	case '[', '［':
		return square, true
	case ')', '）':
		return round, false
	case ']', '］':
		return square, false
	}
	return noBracket, false
}

// opening is an open bracket.
type opening struct {
	kind  shape
	at    int
	depth int // of the pairs inside it
}

// maxNesting bounds the brackets in brackets that are read: each level reads its content again.
const maxNesting = 4

// citing returns the brackets of a passage that hold a citation, inner ones first.
func (p passage) citing() []brackets {
	var found []brackets
	var stack []opening
	open := map[shape]int{} // how many of each shape are open
	for i := 0; i < len(p.masked); {
		r, size := utf8.DecodeRune(p.masked[i:])
		switch kind, opens := bracket(r); {
		case kind == noBracket:
		case opens:
			stack = append(stack, opening{kind: kind, at: i})
			open[kind]++
		case open[kind] > 0:
			pair := pop(&stack, open, kind)
			if pair.depth > maxNesting {
				break
			}
			if citations := artifact.Citations(string(p.masked[pair.at:i])); len(citations) > 0 {
				found = append(found, brackets{pair.at, i + size, citations})
			}
		}
		i += size
	}
	return found
}

// pop takes the matching bracket from the stack, with those above it that nothing closes.
func pop(stack *[]opening, open map[shape]int, kind shape) opening {
	depth := 0
	for {
		n := len(*stack) - 1
		top := (*stack)[n]
		*stack = (*stack)[:n]
		open[top.kind]--
		top.depth = max(top.depth, depth)
		if top.kind == kind {
			if n > 0 {
				outer := &(*stack)[n-1]
				outer.depth = max(outer.depth, top.depth+1)
			}
			return top
		}
		depth = top.depth
	}
}
