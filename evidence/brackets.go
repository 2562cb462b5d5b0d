package evidence

import (
	"unicode/utf8"

	"brenner/artifact"
)

// brackets are a pair of round or square brackets that hold a citation.
type brackets struct {
	open, after int
	citations   []artifact.Citation
}

// opening is an open bracket.
type opening struct {
	round bool
	at    int
	depth int // of the pairs inside it
}

// maxNesting bounds the brackets in brackets that are read: each level reads its content again.
const maxNesting = 4

// citing returns the brackets of a passage that hold a citation, inner ones first.
func (p passage) citing() []brackets {
	var found []brackets
	var stack []opening
	open := map[bool]int{} // how many of each kind are open
	for i := 0; i < len(p.masked); {
		r, size := utf8.DecodeRune(p.masked[i:])
		switch r {
		case '(', '（', '[', '［':
			round := r == '(' || r == '（'
			stack = append(stack, opening{round: round, at: i})
			open[round]++
		case ')', '）', ']', '］':
			round := r == ')' || r == '）'
			if open[round] == 0 {
				break
			}
			pair := pop(&stack, open, round)
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
func pop(stack *[]opening, open map[bool]int, round bool) opening {
	depth := 0
	for {
		n := len(*stack) - 1
		top := (*stack)[n]
		*stack = (*stack)[:n]
		open[top.round]--
		top.depth = max(top.depth, depth)
		if top.round == round {
			if n > 0 {
				outer := &(*stack)[n-1]
				outer.depth = max(outer.depth, top.depth+1)
			}
			return top
		}
		depth = top.depth
	}
}
