package evidence

import "strings"

// negations turn what is said round (SCIENCE 1, EV-Q06).
var negations = map[string]bool{
	"not": true, "no": true, "never": true, "none": true, "nor": true, "neither": true, "cannot": true, "without": true, "hardly": true,
}

func negation(a *atom) bool {
	if a.kind != word {
		return false
	}
	text := strings.ToLower(a.text)
	return negations[text] || strings.HasSuffix(text, "n't")
}

// maxFrom is how far from an end of what was left out a negation counts, in words.
const maxFrom = 3

// negationLeftOut returns the negation that the ellipses of a quotation leave out, near an end of what they leave out and with
// no punctuation between; empty if there is none, or the quotation has one itself.
func negationLeftOut(text *Text, m Match, p Pattern) string {
	for _, piece := range p.pieces {
		for i := range piece {
			if negation(&piece[i]) {
				return ""
			}
		}
	}
	for _, g := range m.Gaps {
		atoms := atomsOf(text.raw[g.start:g.end], source)
		if found := firstNegation(len(atoms), func(i int) *atom { return &atoms[i] }); found != "" {
			return found
		}
		if found := firstNegation(len(atoms), func(i int) *atom { return &atoms[len(atoms)-1-i] }); found != "" {
			return found
		}
	}
	return ""
}

// firstNegation looks for a negation from one end.
func firstNegation(n int, at func(int) *atom) string {
	words := 0
	for i := 0; i < n && words < maxFrom; i++ {
		switch a := at(i); {
		case a.kind == mark:
			return ""
		case a.kind != word:
		case negation(a):
			return a.text
		default:
			words++
		}
	}
	return ""
}
