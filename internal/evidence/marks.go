package evidence

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotationMarks are the characters that may open a quotation.
const quotationMarks = "\"'“„”«»‹›‚‘’「『＂"

// pair is a quotation between its marks.
type pair struct {
	span        // between the marks
	outer  span // with them
	single bool // between ' and ', which are apostrophes as often
	mixed  bool // “ closed with a straight mark
}

// closers names the marks that close what a mark opens.
var closers = map[rune]string{
	'“': "”", '„': "“”", '”': "”", '«': "»", '»': "«»", '‹': "›", '›': "‹", '‚': "‘", '「': "」", '『': "』",
	'"': "\"", '＂': "＂", '‘': "’", '\'': "'",
}

// openMark is a mark that waits for its partner.
type openMark struct {
	r     rune
	at    int
	after int
}

// quotationPairs finds the quotations of a passage, the outermost only. A mark that could open and close closes if one is
// open. A mark without a partner opens nothing.
func quotationPairs(masked string) []pair {
	if !strings.ContainsAny(masked, quotationMarks) {
		return nil
	}
	lastCurved := strings.LastIndex(masked, "”")
	var stack []openMark
	open := map[rune]int{} // how many wait for each closing mark
	var found []pair
	before := ' '
	for i, r := range masked {
		after := i + utf8.RuneLen(r)
		if r == utf8.RuneError || r < utf8.RuneSelf && r != '"' && r != '\'' || !strings.ContainsRune(allMarks, r) {
			before = r
			continue
		}
		next, _ := utf8.DecodeRuneInString(masked[after:])
		if after == len(masked) {
			next = ' '
		}
		closesAs := r
		if r == '"' && open['"'] == 0 && open['”'] > 0 && i > lastCurved { // “ closed with a straight mark
			closesAs = '”'
		}
		switch {
		case open[closesAs] > 0 && canClose(r, before, next):
			p := popTo(&stack, open, closesAs, i, after)
			p.mixed = closesAs != r
			found = append(found, p)
		case canOpen(r, before, next):
			stack = append(stack, openMark{r, i, after})
			for _, c := range closers[r] {
				open[c]++
			}
		}
		before = r
	}
	return outermost(found)
}

const allMarks = quotationMarks + "」』"

// popTo closes the last mark that waits for r. Marks behind it that nothing closed open nothing.
func popTo(stack *[]openMark, open map[rune]int, r rune, at, after int) pair {
	for {
		n := len(*stack) - 1
		top := (*stack)[n]
		*stack = (*stack)[:n]
		for _, c := range closers[top.r] {
			open[c]--
		}
		if strings.ContainsRune(closers[top.r], r) {
			return pair{span: span{top.after, at}, outer: span{top.at, after}, single: top.r == '\''}
		}
	}
}

// outermost keeps the pairs that lie in no other. A mixed one that holds a proper pair is none: its “ was never closed.
func outermost(found []pair) []pair {
	slices.SortFunc(found, func(a, b pair) int { return b.start - a.start })
	proper := math.MaxInt // where the next proper pair begins
	found = slices.DeleteFunc(found, func(p pair) bool {
		if p.mixed && proper < p.end {
			return true
		}
		if !p.single && !p.mixed {
			proper = p.start
		}
		return false
	})
	slices.Reverse(found)
	end := -1
	return slices.DeleteFunc(found, func(p pair) bool {
		if p.start < end {
			return true
		}
		end = p.end
		return false
	})
}

// straight tells whether a mark needs to be judged by what is beside it.
func straight(r rune) bool { return r == '"' || r == '＂' || r == '\'' || r == '‘' || r == '’' }

// canOpen tells whether a mark may open a quotation here. A straight one stands at the beginning or behind a space, bracket,
// dash, colon, comma or mark, and before no space.
func canOpen(r, before, next rune) bool {
	if closers[r] == "" || !straight(r) {
		return closers[r] != ""
	}
	if r == '\'' && unicode.IsDigit(next) { // '90s
		return false
	}
	beforeFits := unicode.IsSpace(before) || dash(before) || quotationMark(before) || strings.ContainsRune(":;,*_|>/\x01：；，、。", before) ||
		unicode.In(before, unicode.Ps, unicode.Pe) || unspaced(before)
	return beforeFits && !unicode.IsSpace(next)
}

// canClose tells whether a mark may close a quotation here. A straight one stands behind no space and before no letter or
// digit; one that opens as often closes nothing where it stands as one that opens: “ in „they say “so” now“.
func canClose(r, before, next rune) bool {
	opensHere := unicode.IsSpace(before) || quotationMark(before) || unicode.Is(unicode.Ps, before)
	if strings.ContainsRune("“«»‹›‘", r) && opensHere && wordRune(next) {
		return false
	}
	if !straight(r) {
		return true
	}
	if _, note := superscript(next); note {
		return true
	}
	return !unicode.IsSpace(before) && (unspaced(next) || !unicode.IsLetter(next) && !unicode.IsDigit(next))
}
