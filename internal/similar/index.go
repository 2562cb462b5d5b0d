package similar

import (
	"cmp"
	"math"
	"slices"
)

// Index finds the text most alike among those added to it. It keeps fingerprints by their grams, those with equal
// marks together, so that a search looks only at fingerprints that may be alike. The zero value is empty.
type Index struct {
	fingerprints []fingerprint
	postings     map[posting][]int32 // places in fingerprints, ascending
	hits         []uint32            // by place in fingerprints; zero between searches
}

type posting struct {
	gram gram
	mark string
}

// Add adds a text; the first has place 0.
func (s *Index) Add(text string) { s.add(fingerprintOf(text)) }

func (s *Index) add(p fingerprint) {
	if s.postings == nil {
		s.postings = make(map[posting][]int32)
	}
	at := int32(len(s.fingerprints))
	s.fingerprints = append(s.fingerprints, p)
	s.hits = append(s.hits, 0)
	for _, g := range p.grams {
		key := posting{g, p.mark}
		s.postings[key] = append(s.postings[key], at)
	}
}

const (
	// common is how many of the grams looked up a fingerprint must share to be compared.
	common = 4
	// lookups and comparisons bound a search, so that ten thousand killed hypotheses which
	// almost resemble each other do not make every ADD slow. Up to about a thousand a search
	// stays within them and misses nothing; beyond, it looks at the rarest grams and at the
	// fingerprints with most of them, which is where similar fingerprints are.
	lookups     = 20_000
	comparisons = 256
)

// Find returns the place of the text most alike, the first of equals, and how alike it is; 0 if none shares enough to
// be compared.
func (s *Index) Find(text string) (place int, score float64) { return s.find(fingerprintOf(text)) }

func (s *Index) find(p fingerprint) (int, float64) {
	best, score := 0, 0.0
	for _, at := range s.candidates(p) {
		if d := similarity(p, s.fingerprints[at]); d > score || d == score && int(at) < best {
			best, score = int(at), d
		}
	}
	return best, score
}

// candidates lists the fingerprints that may be alike. Two alike fingerprints share many grams: so many
// that some of them are among the rarest of those sought, whichever they are. Only those are
// looked up.
func (s *Index) candidates(p fingerprint) []int32 {
	lists := make([][]int32, len(p.grams))
	for i, g := range p.grams {
		lists[i] = s.postings[posting{g, p.mark}]
	}
	slices.SortStableFunc(lists, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	shared := int(math.Ceil(Enough / (2 - Enough) * float64(len(lists)))) // at least, with an alike fingerprint
	needed := min(common, shared)
	var touched []int32
	left := lookups
	for _, places := range lists[:len(lists)-shared+needed] {
		if left -= len(places); left < 0 {
			needed = 1
			break
		}
		for _, at := range places {
			if s.hits[at] == 0 {
				touched = append(touched, at)
			}
			s.hits[at]++
		}
	}
	return s.most(touched, needed)
}

// most takes the fingerprints with enough hits, those with most of them if there are too many, and
// leaves no hits behind.
func (s *Index) most(touched []int32, needed int) []int32 {
	var with [64]int // how many fingerprints have so many hits, or more for the last
	top := len(with) - 1
	for _, at := range touched {
		with[min(int(s.hits[at]), top)]++
	}
	least, total := top, with[top]
	for least > needed && total+with[least-1] <= comparisons {
		least--
		total += with[least]
	}
	room := comparisons - total // for some of those with one hit less
	kept := touched[:0]
	for _, at := range touched {
		hits := min(int(s.hits[at]), top)
		s.hits[at] = 0
		switch {
		case hits >= least:
			kept = append(kept, at)
		case hits == least-1 && hits >= needed && room > 0:
			kept = append(kept, at)
			room--
		}
	}
	return kept
}
