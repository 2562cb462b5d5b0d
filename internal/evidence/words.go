package evidence

import (
	"cmp"
	"hash/crc32"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/textnorm"
)

// WordIndex knows the lines of a text on which each word occurs. It is immutable.
//
// A posting is the hash of a word above the number of a line: eight bytes, however long or rare the word.
// Words with the same hash are told apart on the line itself.
type WordIndex struct {
	text     string
	starts   []uint32   // where each line begins in text
	postings [][]uint64 // in pieces, each of some lines and sorted: one slice that grows would cost a large text three times
}

// pieceOfPostings is how many postings are sorted together.
const pieceOfPostings = 1 << 19

// NewWordIndex reads a text once.
func NewWordIndex(text string) *WordIndex {
	x := &WordIndex{text: strings.TrimSuffix(text, "\n")}
	x.starts = make([]uint32, 0, strings.Count(x.text, "\n")+1)
	var piece []uint64
	at := 0
	for line := range strings.SplitSeq(x.text, "\n") {
		n := len(x.starts)
		x.starts = append(x.starts, uint32(at))
		for part := range parts(line) {
			for word := range pieces(searchForm(part)) {
				if piece = append(piece, posting(word, n)); len(piece) == pieceOfPostings {
					x.keep(piece)
					piece = piece[:0]
				}
			}
		}
		at += len(line) + 1
	}
	x.keep(piece)
	return x
}

// keep sorts postings and keeps a copy of them.
func (x *WordIndex) keep(piece []uint64) {
	slices.Sort(piece)
	x.postings = append(x.postings, slices.Clone(slices.Compact(piece)))
}

func posting(word string, line int) uint64 {
	return uint64(crc32.ChecksumIEEE([]byte(word)))<<32 | uint64(line)
}

// searchForm is the form in which words are compared: all apostrophes are one, case does not count.
func searchForm(text string) string {
	return strings.Map(func(r rune) rune {
		if quotationMark(r) {
			return '\''
		}
		return unicode.ToLower(r)
	}, textnorm.NFKC(text))
}

// pieces yields the parts of a line inside which no word begins or ends: words, and the single characters
// of scripts without spaces.
func pieces(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1    // of the piece; -1: none
		plain := false // the last character is an ASCII letter or digit
		for i, r := range line {
			word, wasPlain := wordRune(r), plain
			plain = word && r < utf8.RuneSelf
			if plain && wasPlain || start < 0 && !word {
				continue
			}
			cut := edge(line, i)
			if start >= 0 && cut && !yield(line[start:i]) {
				return
			}
			switch {
			case cut && !word:
				start = -1
			case cut:
				start = i
			}
		}
		if start >= 0 {
			yield(line[start:])
		}
	}
}

// line returns a line of the text, from 0.
func (x *WordIndex) line(n int) string {
	if n+1 == len(x.starts) {
		return x.text[x.starts[n]:]
	}
	return x.text[x.starts[n] : x.starts[n+1]-1]
}

// lines returns the postings of a word.
func (x *WordIndex) lines(word string) []uint64 {
	var found []uint64
	for _, piece := range x.postings {
		from, _ := slices.BinarySearch(piece, posting(word, 0))
		to, _ := slices.BinarySearch(piece, posting(word, len(x.starts)))
		found = append(found, piece[from:to]...)
	}
	return slices.Compact(found) // a line may lie in two pieces
}

// candidates returns the lines, in order, around which all words may be. It goes from the rarest
// word to the others.
func (x *WordIndex) candidates(words []string) []int {
	var all [][]uint64
	for _, w := range words {
		for piece := range pieces(w) {
			all = append(all, x.lines(piece))
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b []uint64) int { return cmp.Compare(len(a), len(b)) })
	all = all[:min(len(all), maxWords)] // enough to choose by
	var found []int
	next := 0
	for _, p := range all[0] {
		at := int(uint32(p))
		for next = max(next, at-reach); next < min(at+reach+1, len(x.starts)); next++ {
			if !slices.ContainsFunc(all, func(lines []uint64) bool { return !inReach(lines, next) }) {
				found = append(found, next)
			}
		}
	}
	return found
}

// inReach tells whether a line, or one in reach of it, is among the postings of a word.
func inReach(lines []uint64, line int) bool {
	i, _ := slices.BinarySearchFunc(lines, max(line-reach, 0), func(p uint64, n int) int { return cmp.Compare(int(uint32(p)), n) })
	return i < len(lines) && int(uint32(lines[i])) <= line+reach
}
