package evidence

import (
	"cmp"
	"iter"
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
		switch content := source.Open(); {
		case content.Text == nil:
		case len(content.Raw) > indexedText:
			s.readThrough(source.ID, content.Raw)
		default:
			s.add(source.ID, content.wordIndex())
		}
	}
	hits := s.best()
	for _, source := range p.Sources {
		source.place(hits)
	}
	return hits
}

// place says on which page and in which excerpt the hits in a source are. A large source is not kept: it is opened once for all.
func (s *Source) place(hits []Hit) {
	if !slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == s.ID }) {
		return
	}
	content, excerpts := s.Open(), s.AllExcerpts()
	for i := range hits {
		if hits[i].ID != s.ID {
			continue
		}
		hits[i].Page = content.Text.Page(hits[i].offset + leadingSpace(hits[i].Text))
		hits[i].Text = cut(strings.TrimSpace(hits[i].Text))
		for _, e := range excerpts {
			if e.From <= hits[i].Line && hits[i].Line <= e.To {
				hits[i].Excerpt = e.ID
				break
			}
		}
	}
}

const (
	// indexedText is the largest text whose words are indexed: a larger one is not kept, and would be indexed for one search.
	indexedText = 8 << 20
	// maxHitText bounds what is shown of a line: some texts have but one.
	maxHitText = 16 << 10
)

// cut returns a text of its own with the beginning of a line: its source may go.
func cut(line string) string {
	if len(line) <= maxHitText {
		return strings.Clone(line)
	}
	return strings.ToValidUTF8(line[:maxHitText], "") + "…"
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

// readThrough is add for a text that is not indexed: it reads every line.
func (s *wordSearch) readThrough(id, text string) {
	all := uint64(1)<<len(s.words) - 1
	var near [2*reach + 1]scanned // the line in the middle, and those in reach of it
	judge := func() {
		around := uint64(0)
		for _, l := range near {
			around |= l.set
		}
		if l := near[reach]; l.set != 0 && around == all {
			s.hits = append(s.hits, Hit{ID: id, Line: l.number, Text: l.text, words: bits.OnesCount64(l.set), offset: l.offset})
		}
		if len(s.hits) > manyHits {
			s.hits = s.best() // of equal ones the first stay, as they would in the end
		}
	}
	next := func(l scanned) {
		copy(near[:], near[1:])
		near[2*reach] = l
		judge()
	}
	number, at := 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		number++
		next(scanned{s.set(line), line, number, at})
		at += len(line) + 1
	}
	for range reach {
		next(scanned{})
	}
}

// scanned is a line with the words that it has.
type scanned struct {
	set            uint64
	text           string
	number, offset int
}

// manyHits is how many hits are kept before the best are chosen.
const manyHits = 100 * maxHits

// set returns the words of the query that are on a line, a bit for each. A word of a script without
// spaces may be anywhere in another.
func (s *wordSearch) set(line string) uint64 {
	var set uint64
	for part := range parts(line) {
		part = searchForm(part)
		for i, w := range s.words {
			if hasWord(part, w) {
				set |= 1 << i
			}
		}
	}
	return set
}

// longLine is how much of a line is brought into the form in which words are compared at a time.
const longLine = 64 << 10

// parts yields a line in parts that are cut at spaces, where no word goes on. A word has none.
func parts(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(line) > longLine {
			space := strings.IndexByte(line[longLine:], ' ')
			if space < 0 {
				break
			}
			if !yield(line[:longLine+space]) {
				return
			}
			line = line[longLine+space:]
		}
		yield(line)
	}
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
