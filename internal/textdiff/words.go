package textdiff

import (
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Change says on which side a piece of text is.
type Change uint8

// The changes.
const (
	Same Change = iota
	Deleted
	Inserted
)

// Span is a run of text with the same fate.
type Span struct {
	Change Change
	Text   string
}

// Words compares two texts word by word. The spans that are not Inserted make up the old text, those
// that are not Deleted the new one. A text of which less than half is kept comes back as one deletion and
// one insertion: marks on every second word do not help.
func Words(before, after string) []Span {
	if before == after {
		return appendSpan(nil, Same, before)
	}
	a, b := words(before), words(after)
	ends, repls := offsets(a), offsets(b)
	var spans []Span
	at, kept := 0, 0
	same := func(until int) {
		spans = appendSpan(spans, Same, before[ends[at]:ends[until]])
		kept += ends[until] - ends[at]
	}
	for _, d := range differences(a, b) {
		same(d.Start)
		spans = appendSpan(spans, Deleted, before[ends[d.Start]:ends[d.End]])
		spans = appendSpan(spans, Inserted, after[repls[d.ReplStart]:repls[d.ReplEnd]])
		at = d.End
	}
	same(len(a))
	if 2*kept < len(before) {
		return appendSpan(appendSpan(nil, Deleted, before), Inserted, after)
	}
	return spans
}

// offsets tells where each piece begins, and where the last one ends.
func offsets(pieces []string) []int {
	list := make([]int, len(pieces)+1)
	for i, p := range pieces {
		list[i+1] = list[i] + len(p)
	}
	return list
}

func appendSpan(spans []Span, change Change, text string) []Span {
	if text == "" {
		return spans
	}
	return append(spans, Span{change, text})
}

// words cuts a text into words, runs of space, and single other characters.
func words(text string) []string {
	var list []string
	for len(text) > 0 {
		first, size := utf8.DecodeRuneInString(text)
		kind, end := kindOf(first), size
		for end < len(text) && kind != mark {
			r, n := utf8.DecodeRuneInString(text[end:])
			if kindOf(r) != kind {
				break
			}
			end += n
		}
		list, text = append(list, text[:end]), text[end:]
	}
	return list
}

type kind uint8

const (
	mark kind = iota
	word
	space
)

func kindOf(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r), r == '_':
		return word
	}
	return mark
}

// differences finds what to replace in a to get b. Pieces become numbers first, so that comparing
// two of them costs the same however long they are.
func differences(a, b []string) []lcs.Diff {
	numbers := map[string]rune{}
	number := func(pieces []string) []rune {
		list := make([]rune, len(pieces))
		for i, p := range pieces {
			n, ok := numbers[p]
			if !ok {
				n = rune(len(numbers))
				numbers[p] = n
			}
			list[i] = n
		}
		return list
	}
	return lcs.DiffRunes(number(a), number(b))
}
