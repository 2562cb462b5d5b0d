package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostPlaces is how many places of one word count when the nearest passage is looked for; the rarer
// words of a quote say more than the common ones.
const mostPlaces = 500

// nearest finds for each quote the passage that shares most words with it in the same order. It reads
// the text once.
func (t *Text) nearest(queries []Query) []near {
	wanted := map[string][]int{} // places in tokens, of the words of the quotes
	pieces := t.unmatched(queries)
	for _, p := range pieces {
		for _, w := range p.words {
			wanted[w] = nil
		}
	}
	tokens := t.tokens()
	for i, token := range tokens {
		if places, ok := wanted[bare(t.norm[token.start:token.end])]; ok && len(places) <= mostPlaces {
			wanted[bare(t.norm[token.start:token.end])] = append(places, i)
		}
	}
	found := make([]near, len(queries))
	for i, p := range pieces {
		if found[i].order = len(p.words) == 0; !found[i].order {
			found[i] = t.align(tokens, wanted, p, &queries[i])
		}
	}
	return found
}

// fragment is the part of a quote that is not where it should be.
type fragment struct {
	words []string // bare
	raw   []string
}

// unmatched returns the first piece of each quote that is not in the text on its own; without
// words if all do, in another order.
func (t *Text) unmatched(queries []Query) []fragment {
	var alone []Query
	for _, q := range queries {
		for _, piece := range q.pieces {
			alone = append(alone, Query{Pattern{pieces: []Text{piece}}, q.From, q.To})
		}
	}
	matches := t.Find(alone)
	found := make([]fragment, len(queries))
	for i, q := range queries {
		for k := range q.pieces {
			if !matches[k].Found && found[i].words == nil {
				found[i].raw = words(q.pieces[k].display(0, len(q.pieces[k].norm)))
				for _, w := range words(q.pieces[k].norm) {
					found[i].words = append(found[i].words, bare(w))
				}
			}
		}
		matches = matches[len(q.pieces):]
	}
	return found
}

// span is a word of the normal form.
type span struct{ start, end int }

func (t *Text) tokens() []span {
	var tokens []span
	start := -1
	end := func(i int) {
		if start >= 0 && i > start {
			tokens = append(tokens, span{start, i})
		}
		start = -1
	}
	for i, r := range t.norm {
		switch {
		case r == ' ':
			end(i)
		case unspaced(r):
			end(i)
			tokens = append(tokens, span{i, i + utf8.RuneLen(r)})
		case start < 0:
			start = i
		}
	}
	end(len(t.norm))
	return tokens
}

// bare takes punctuation off the ends of a word.
func bare(word string) string {
	if trimmed := strings.TrimFunc(word, unicode.IsPunct); trimmed != "" {
		return trimmed
	}
	return word
}

// align lays a fragment along the text where most of its words fit, and finds the first that does not.
func (t *Text) align(tokens []span, wanted map[string][]int, f fragment, q *Query) near {
	start, end := t.window(q)
	votes := map[int]int{}
	best := -1
	for i, w := range f.words {
		if len(wanted[w]) > mostPlaces && len(votes) > 0 {
			continue
		}
		for _, at := range wanted[w] {
			first := at - i
			if first < 0 || tokens[at].start < start || tokens[at].end > end {
				continue
			}
			votes[first]++
			if best < 0 || votes[first] > votes[best] || votes[first] == votes[best] && first < best {
				best = first
			}
		}
	}
	if best < 0 {
		return near{}
	}
	last := min(best+len(f.words), len(tokens))
	n := near{passage: t.display(tokens[best].start, tokens[last-1].end), line: t.line(tokens[best].start), shared: votes[best]}
	n.word, n.there = t.differs(tokens[best:last], f)
	return n
}

// differs returns the first word of a fragment that the passage has not, and what it has there.
func (t *Text) differs(passage []span, f fragment) (word, there string) {
	compare := func(equal func(i int) bool) (string, string, bool) {
		for i := range f.words {
			if i >= len(passage) {
				return f.raw[min(i, len(f.raw)-1)], "", true
			}
			if !equal(i) {
				return f.raw[min(i, len(f.raw)-1)], t.display(passage[i].start, passage[i].end), true
			}
		}
		return "", "", false
	}
	if word, there, ok := compare(func(i int) bool { return f.words[i] == bare(t.norm[passage[i].start:passage[i].end]) }); ok {
		return word, there
	}
	word, there, _ = compare(func(i int) bool { return f.raw[min(i, len(f.raw)-1)] == t.display(passage[i].start, passage[i].end) })
	return word, there
}

// display writes a part of the normal form with its hyphens.
func (t *Text) display(start, end int) string {
	var b strings.Builder
	at := start
	for _, j := range t.joinsIn(start, end) {
		b.WriteString(t.norm[at:j.at])
		at = j.at
		if j.kind != lineHyphen {
			b.WriteByte('-')
		}
	}
	b.WriteString(t.norm[at:end])
	return b.String()
}
