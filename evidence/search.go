package evidence

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"brenner/textnorm"
)

// Search looks for words in many texts. Case and typography do not count; the words may stand on
// neighbouring lines.
type Search struct {
	words []string
	hits  []Hit
}

// Hit is a line of a source with words that were looked for.
type Hit struct {
	ID      string
	Excerpt string // that has the line; empty: none
	Line    int    // from 1
	Text    string
	words   int // how many of them are on the line itself
}

// mostHits is how many lines a search of the pack returns.
const mostHits = 100

// Search finds the passages of the pack that have all words, best first.
func (p *Pack) Search(query string) []Hit {
	s := NewSearch(query)
	for _, source := range p.Sources {
		if content := source.Open(); content.Text != nil {
			s.Add(source.ID, content.Raw)
		}
	}
	hits := s.Best(mostHits)
	for i := range hits {
		hits[i].Text = strings.TrimSpace(hits[i].Text)
		for _, e := range p.Source(hits[i].ID).AllExcerpts() {
			if e.From <= hits[i].Line && hits[i].Line <= e.To {
				hits[i].Excerpt = e.ID
				break
			}
		}
	}
	return hits
}

// reach is how many lines around a hit may have the other words.
const reach = 2

// NewSearch reads a query: words, all of which must be there.
func NewSearch(query string) *Search {
	s := &Search{}
	for _, w := range searchWords(query) {
		if !slices.Contains(s.words, w) && len(s.words) < 64 {
			s.words = append(s.words, w)
		}
	}
	return s
}

func searchWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(textnorm.NFKC(text)), func(r rune) bool { return !wordRune(r) && !unicode.IsMark(r) })
}

// Add looks into a text. It reads it once.
func (s *Search) Add(id, text string) {
	if len(s.words) == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	sets := make([]uint64, len(lines)) // which words stand on each line
	for i, line := range lines {
		sets[i] = s.set(line)
	}
	all := uint64(1)<<len(s.words) - 1
	for i, set := range sets {
		around := uint64(0)
		for _, near := range sets[max(i-reach, 0):min(i+reach+1, len(sets))] {
			around |= near
		}
		if set != 0 && around == all {
			s.hits = append(s.hits, Hit{ID: id, Line: i + 1, Text: lines[i], words: ones(set)})
		}
	}
}

// set returns the words of the query that stand on a line, a bit for each. A word of a script without
// spaces may stand anywhere in another.
func (s *Search) set(line string) uint64 {
	line = strings.ToLower(textnorm.NFKC(line))
	var set uint64
	for i, w := range s.words {
		if hasWord(line, w) {
			set |= 1 << i
		}
	}
	return set
}

func hasWord(line, word string) bool {
	t := Text{norm: line}
	for at := 0; ; {
		i := strings.Index(line[at:], word)
		if i < 0 {
			return false
		}
		if t.edge(at+i) && t.edge(at+i+len(word)) {
			return true
		}
		at += i + len(word)
	}
}

func ones(set uint64) int {
	n := 0
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// Best returns the hits with the most words first, at most n.
func (s *Search) Best(n int) []Hit {
	slices.SortStableFunc(s.hits, func(a, b Hit) int { return cmp.Compare(b.words, a.words) })
	return s.hits[:min(n, len(s.hits))]
}
