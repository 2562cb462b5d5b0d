package evidence

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"unicode"

	"brenner/internal/textnorm"
)

// runLength is how many words are compared at once.
const runLength = 5

// maxRuns is how many runs of a text are kept; of a longer text every second, fourth, … run, chosen by its words, so that both
// texts choose the same.
const maxRuns = 2 << 20

// Agreement is the part of the runs of five words of a text that stand in another one (SCIENCE 1, EV-Q07), rounded down to
// thousandths. Case and typography do not count; a text of fewer words is one run. It takes linear time but for one sorting, and
// 16 MiB.
func Agreement(text, own string) float64 {
	length := min(countWords(text), runLength)
	every := uint64(1)
	for uint64(len(own))/2 > maxRuns*every {
		every *= 2
	}
	var known []uint64
	eachRun(own, length, func(run uint64) {
		if run%every == 0 {
			known = append(known, run)
		}
	})
	slices.Sort(known)
	all, there := 0, 0
	eachRun(text, length, func(run uint64) {
		if run%every != 0 {
			return
		}
		all++
		if _, ok := slices.BinarySearch(known, run); ok {
			there++
		}
	})
	if all == 0 {
		return 0
	}
	return math.Floor(1000*float64(there)/float64(all)) / 1000
}

// eachRun visits every run of so many words of a text, as a number.
func eachRun(text string, length int, visit func(run uint64)) {
	var last [runLength]uint64
	n := 0
	eachWord(text, func(word string) bool {
		copy(last[:], last[1:])
		last[runLength-1] = wordHash(word)
		if n++; n >= length {
			visit(joinHashes(last[runLength-length:]))
		}
		return true
	})
}

// countWords counts the words of a text, up to a run of them.
func countWords(text string) int {
	n := 0
	eachWord(text, func(string) bool {
		n++
		return n < runLength
	})
	return n
}

func eachWord(text string, visit func(word string) bool) {
	for line := range strings.Lines(text) {
		for word := range strings.FieldsFuncSeq(textnorm.NFKC(line), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			if !visit(word) {
				return
			}
		}
	}
}

func wordHash(word string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.ToLower(word)))
	return h.Sum64()
}

func joinHashes(words []uint64) uint64 {
	sum := uint64(len(words))
	for _, w := range words {
		sum = (sum ^ w) * 0x9E3779B97F4A7C15
		sum ^= sum >> 29
	}
	return sum
}
