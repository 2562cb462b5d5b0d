package evidence

import (
	"math/bits"
	"strings"
)

// near is the passage of a text that comes nearest to a quotation.
type near struct {
	passage string // empty: nothing is like it
	line    int
	word    string // the first word of the quotation that differs; empty: the text goes on where the quotation ends
	there   string // what the text has in its place
	shared  int    // words that are there in the same order
	of      int    // words of the quotation
}

// slip tells whether the passage has two thirds of the words of the quotation in order.
func (n near) slip() bool { return n.of > 0 && 3*n.shared >= 2*n.of }

const (
	maxCompared = 256 // words of a quotation that are compared with passages
	recentWords = 1 << 10
)

// tracker follows how many words of a quotation stand, in order, in the part of the text that is being read.
type tracker struct {
	query  int
	ids    map[string]int
	order  []int // ids of the words of the quotation
	most   []int // how often each word is in it
	have   []int // how often each is in the part that is being read
	useful int   // words of the part that can be in order at best
	part   []hitAt
	room   []hitAt // that part lies in
	reach  int     // words of a part
	masks  [][]uint64
	best   int
	start  int // where the best passage begins
	line   int
}

// hit is a word of a tracked quotation.
type hit struct {
	*tracker
	id int
}

// hitAt is where such a word stands.
type hitAt struct{ word, id int }

// recent remembers where the last words of the text begin.
type recent struct {
	starts [recentWords]int
	lines  [recentWords]int
	words  int
}

func (r *recent) add(a *atom) {
	r.starts[r.words%recentWords], r.lines[r.words%recentWords] = a.start, a.place.line
	r.words++
}

// watch begins to look for the passage nearest to a quotation.
func (s *search) watch(query int) {
	q := &s.queries[query]
	t := &tracker{query: query, ids: map[string]int{}}
	words := q.words()
	for _, w := range words[:min(len(words), maxCompared)] {
		id, ok := t.ids[w]
		if !ok {
			id = len(t.ids)
			t.ids[w] = id
			t.most = append(t.most, 0)
			e := s.entry(w)
			e.hits = append(e.hits, hit{t, id})
		}
		t.most[id]++
		t.order = append(t.order, id)
	}
	t.have = make([]int, len(t.most))
	t.reach = len(t.order) + len(t.order)/4 + 2
	if len(q.pieces) > 1 {
		t.reach += maxLeftOut / 2
	}
	t.masks = make([][]uint64, len(t.most))
	for i, id := range t.order {
		if t.masks[id] == nil {
			t.masks[id] = make([]uint64, (len(t.order)+63)/64)
		}
		t.masks[id][i/64] |= 1 << (i % 64)
	}
	s.track = append(s.track, t)
}

// follow takes a word of the text into account.
func (s *search) follow(e *entry, a *atom) {
	if len(s.track) == 0 || s.tracked > maxTracks {
		return
	}
	s.recent.add(a)
	if e == nil {
		return
	}
	for _, h := range e.hits {
		q := &s.queries[h.query]
		if s.matches[h.query].Found || q.To > 0 && (a.place.line < q.From || a.place.line > q.To) {
			continue
		}
		s.tracked += h.meet(h.id, &s.recent)
	}
}

// meet adds a word to the part that is being read, and measures it if it may be the best. It returns how many steps it took.
func (t *tracker) meet(id int, r *recent) int {
	now := r.words - 1
	for len(t.part) > 0 && t.part[0].word <= now-t.reach {
		t.drop()
	}
	if len(t.part) == cap(t.part) { // what was dropped makes room again
		if cap(t.room) <= 2*len(t.part) {
			t.room = make([]hitAt, 0, 4*len(t.part)+8)
		}
		t.part = append(t.room[:0], t.part...)
	}
	t.part = append(t.part, hitAt{now, id})
	if t.have[id]++; t.have[id] <= t.most[id] {
		t.useful++
	}
	if t.useful <= t.best {
		return 1
	}
	steps := len(t.part) * len(t.masks[0])
	if n := t.inOrder(); n > t.best {
		t.best = n
		t.mark(r)
		steps += len(t.part) * len(t.order)
	}
	return steps
}

func (t *tracker) drop() {
	id := t.part[0].id
	t.part = t.part[1:]
	if t.have[id]--; t.have[id] < t.most[id] {
		t.useful--
	}
}

// inOrder counts the words of the part that stand in the order of the quotation: the longest common subsequence, many
// bits at a time.
func (t *tracker) inOrder() int {
	var small [maxCompared / 64]uint64
	v := small[:(len(t.order)+63)/64]
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, h := range t.part {
		carry := uint64(0)
		for i, m := range t.masks[h.id] {
			u := v[i] & m
			sum, c := bits.Add64(v[i], u, carry)
			v[i], carry = sum|(v[i]&^m), c
		}
	}
	n := 0
	for i := range v {
		zeros := ^v[i]
		if rest := len(t.order) - 64*i; rest < 64 {
			zeros &= 1<<rest - 1
		}
		n += bits.OnesCount64(zeros)
	}
	return n
}

// mark remembers where the passage begins that is best so far: as many words before the first common word as the
// quotation has before it.
func (t *tracker) mark(r *recent) {
	i, j := t.firstCommon()
	at := max(t.part[i].word-j, 0, r.words-recentWords)
	t.start, t.line = r.starts[at%recentWords], r.lines[at%recentWords]
}

// firstCommon returns the first word of a longest common subsequence, in the part and in the quotation: of several the one
// that begins last in the text.
func (t *tracker) firstCommon() (inPart, inQuote int) {
	n, m := len(t.part), len(t.order)
	longest := make([][]int, n+1)
	for i := range longest {
		longest[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if t.part[i].id == t.order[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < n-1 && longest[i+1][0] == longest[0][0] { // the passage is the shortest that has them all
		i++
	}
	for j < m-1 && (t.part[i].id != t.order[j] || longest[i+1][j+1]+1 < longest[0][0]) {
		j++
	}
	return i, j
}

// conclude says of each quotation that was not found what there is instead.
func (s *search) conclude() {
	for i := range s.matches {
		m, pieces := &s.matches[i], len(s.queries[i].pieces)
		if m.Found || pieces == 0 {
			continue
		}
		m.Scattered = pieces > 1 && bits.OnesCount64(s.seen[i]) == min(pieces, 64)
		m.TooMuch = s.window.steps > maxSteps
	}
	for _, t := range s.track {
		if m := &s.matches[t.query]; !m.Found {
			m.near = near{shared: t.best, of: len(t.order)}
			if t.best > 0 {
				s.describe(t, &m.near)
			}
		}
	}
}

// describe shows the best passage beside the quotation.
func (s *search) describe(t *tracker, n *near) {
	var quote []field
	for _, piece := range s.queries[t.query].pieces {
		quote = append(quote, fields(&window{atoms: piece}, len(piece))...)
	}
	passage := fields(&window{scanner: newScanner(s.text.raw[t.start:], source)}, len(quote))
	if len(passage) == 0 {
		return
	}
	n.line = t.line
	n.passage = strings.Join(strings.Fields(s.text.raw[t.start+passage[0].start:t.start+passage[len(passage)-1].end]), " ")
	differ := func(same func(a, b field) bool) bool {
		for i, q := range quote {
			switch {
			case i >= len(passage):
				n.word = q.text
				return true
			case !same(q, passage[i]):
				n.word, n.there = q.text, passage[i].text
				return true
			}
		}
		return false
	}
	if !differ(func(a, b field) bool { return a.bare == b.bare }) {
		differ(func(a, b field) bool { return a.text == b.text })
	}
}

// field is a word with the punctuation beside it.
type field struct {
	text, bare string
	start, end int
}

// fields reads words with their punctuation, at most n.
func fields(w *window, n int) []field {
	var found []field
	for i := 0; ; i++ {
		a := w.at(i)
		if a == nil {
			return found
		}
		if i == 0 || a.glue == space || a.glue == openHyphen || isUnspaced(a.text) || len(found) > 0 &&
			isUnspaced(found[len(found)-1].bare) {
			if len(found) == n {
				return found
			}
			found = append(found, field{start: a.start})
		}
		f := &found[len(found)-1]
		if a.glue == hyphen && f.text != "" {
			f.text += "-"
		}
		f.text += a.text
		if a.kind == word {
			f.bare += a.text
		}
		f.end = a.end
	}
}
