package evidence

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// wordSearch looks for words in many texts. Case and typography do not count; the words may be on
// neighbouring lines.
type wordSearch struct {
	words []string
	hits  []Hit
}

// Hit is a line of a source with words that were looked for.
type Hit struct {
	ID      string
	Excerpt string // that has the line; empty: none
	Line    int    // from 1
	Page    int    // of the file, from 1; 0: its pages are not known
	Text    string
	words   int // how many of them are on the line itself
	offset  int // of the line in the text
}

// maxHits is how many lines a search of the pack returns.
const maxHits = 100

// Search finds the passages of the pack that have all words, best first.
func (p *Pack) Search(query string) []Hit {
	s := newWordSearch(query)
	for _, source := range p.Sources {
		if content := source.Open(); content.Text != nil {
			s.add(source.ID, content.wordIndex())
		}
	}
	hits := s.best()
	for i := range hits {
		source := p.Source(hits[i].ID)
		hits[i].Page = source.Open().Text.Page(hits[i].offset + leadingSpace(hits[i].Text))
		hits[i].Text = strings.TrimSpace(hits[i].Text)
		for _, e := range source.AllExcerpts() {
			if e.From <= hits[i].Line && hits[i].Line <= e.To {
				hits[i].Excerpt = e.ID
				break
			}
		}
	}
	return hits
}

// leadingSpace counts the bytes before the first word of a line: a form feed there ends the page before it.
func leadingSpace(line string) int {
	return len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
}

// maxWords is how many words of a query count: a line has a bit for each.
const maxWords = 64

// reach is how many lines around a hit may have the other words.
const reach = 2

// newWordSearch reads a query: words, all of which must be there.
func newWordSearch(query string) *wordSearch {
	s := &wordSearch{}
	for _, w := range searchWords(query) {
		if !slices.Contains(s.words, w) && len(s.words) < maxWords {
			s.words = append(s.words, w)
		}
	}
	return s
}

// searchWords cuts a text between its words as the index does, so that don't and 1.5 are one word each; what is
// written without spaces stays together.
func searchWords(text string) []string {
	text = searchForm(text)
	var words []string
	start := -1 // of the word; -1: none
	for i, r := range text {
		switch word := wordRune(r); {
		case word && start < 0:
			start = i
		case !word && start >= 0 && edge(text, i):
			words, start = append(words, text[start:i]), -1
		}
	}
	if start >= 0 {
		words = append(words, text[start:])
	}
	return words
}

// add looks a text up. It reads the lines that may be hits, and those in reach of them.
func (s *wordSearch) add(id string, x *WordIndex) {
	all := uint64(1)<<len(s.words) - 1
	sets := map[int]uint64{} // which words are on each line
	for _, i := range x.candidates(s.words) {
		around := uint64(0)
		for n := max(i-reach, 0); n < min(i+reach+1, len(x.starts)); n++ {
			if _, ok := sets[n]; !ok {
				sets[n] = s.set(x.line(n))
			}
			around |= sets[n]
		}
		if sets[i] != 0 && around == all {
			s.hits = append(s.hits, Hit{ID: id, Line: i + 1, Text: x.line(i), words: bits.OnesCount64(sets[i]), offset: int(x.starts[i])})
		}
	}
}

// set returns the words of the query that are on a line, a bit for each. A word of a script without
// spaces may be anywhere in another.
func (s *wordSearch) set(line string) uint64 {
	line = searchForm(line)
	var set uint64
	for i, w := range s.words {
		if hasWord(line, w) {
			set |= 1 << i
		}
	}
	return set
}

func hasWord(line, word string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], word)
		if i < 0 {
			return false
		}
		if edge(line, at+i) && edge(line, at+i+len(word)) {
			return true
		}
		at += i + len(word)
	}
}

// best returns the hits with the most words first, at most maxHits.
func (s *wordSearch) best() []Hit {
	slices.SortStableFunc(s.hits, func(a, b Hit) int { return cmp.Compare(b.words, a.words) })
	return s.hits[:min(maxHits, len(s.hits))]
}
