package evidence

import (
	"slices"
	"unicode/utf8"
)

// Match is the place of a quote in a text.
type Match struct {
	Found    bool
	From, To int // lines, from 1, if it was found
	pieces   int // that were found in their order
	start    int // of the first piece
	end      int // of the last piece
}

// Query is a quote to be looked up, in some lines of a text.
type Query struct {
	Pattern
	From, To int // lines, from 1; To 0: anywhere
}

// Find looks many quotes up in one pass over the text. Its time is linear in the text and the quotes:
// pieces are found by the hash of their beginning, not one after the other.
func (t *Text) Find(queries []Query) []Match {
	s := search{text: t, queries: queries, matches: make([]Match, len(queries))}
	for i := range queries {
		s.await(i)
	}
	s.run()
	return s.matches
}

// window returns the part of the normal form that a query may look at.
func (t *Text) window(q *Query) (start, end int) {
	if q.To == 0 {
		return 0, len(t.norm)
	}
	from, to := max(q.From, 1), min(q.To, len(t.lines))
	if from > to {
		return 0, 0
	}
	end = len(t.norm)
	if to < len(t.lines) {
		end = t.lines[to]
	}
	return t.lines[from-1], end
}

// search is a pass over a text.
type search struct {
	text    *Text
	queries []Query
	matches []Match
	keys    [len(keyLengths)]map[string][]*waiting
	starts  [1 << 16]bool // the first two bytes of the pieces
	short   [1 << 8]bool  // of pieces of one byte
}

// waiting is a piece that some quotes wait for.
type waiting struct {
	piece  *Text
	quotes []int
}

// keyLengths are the lengths of beginnings that are hashed.
var keyLengths = [...]int{64, 32, 16, 8, 4, 2, 1}

// keyOf returns the beginning of a piece by which it is found.
func keyOf(piece string) (class int, key string) {
	for class, n := range keyLengths {
		if len(piece) >= n {
			return class, piece[:n]
		}
	}
	return len(keyLengths) - 1, piece
}

// await makes a quote wait for its next piece; without one it is found.
func (s *search) await(quote int) {
	m, pieces := &s.matches[quote], s.queries[quote].pieces
	if m.pieces == len(pieces) {
		if m.Found = len(pieces) > 0; m.Found {
			m.From, m.To = s.text.line(m.start), s.text.line(m.end-1)
		}
		return
	}
	piece := &pieces[m.pieces]
	class, key := keyOf(piece.norm)
	if s.keys[class] == nil {
		s.keys[class] = map[string][]*waiting{}
	}
	bucket := s.keys[class][key]
	i := slices.IndexFunc(bucket, func(w *waiting) bool { return w.piece.norm == piece.norm && slices.Equal(w.piece.joins, piece.joins) })
	if i >= 0 {
		bucket[i].quotes = append(bucket[i].quotes, quote)
		return
	}
	s.keys[class][key] = append(bucket, &waiting{piece, []int{quote}})
	if len(piece.norm) > 1 {
		s.starts[int(piece.norm[0])<<8|int(piece.norm[1])] = true
	} else {
		s.short[piece.norm[0]] = true
	}
}

func (s *search) run() {
	text := s.text.norm
	joins := s.text.joins
	before := byte(' ')
	for i := range len(text) {
		b := text[i]
		joined := len(joins) > 0 && joins[0].at == i
		if joined {
			joins = joins[1:]
		}
		// Most places are inside a word of plain letters.
		inWord := plainLetter(before) && plainLetter(b)
		before = b
		if inWord && !joined || !s.begins(i) || !utf8.RuneStart(b) || !s.text.edge(i) {
			continue
		}
		for class, n := range keyLengths {
			if len(s.keys[class]) > 0 && i+n <= len(text) {
				s.meet(class, text[i:i+n], i)
			}
		}
	}
}

func plainLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// begins tells whether some piece begins with the bytes at a place.
func (s *search) begins(i int) bool {
	text := s.text.norm
	return s.short[text[i]] || i+1 < len(text) && s.starts[int(text[i])<<8|int(text[i+1])]
}

// meet tries the pieces that begin as the text does at a place.
func (s *search) meet(class int, key string, place int) {
	bucket, ok := s.keys[class][key]
	if !ok {
		return
	}
	var met []int
	kept := bucket[:0]
	for _, w := range bucket {
		if s.text.standsAt(w.piece, place) {
			met = append(met, s.take(w, place)...)
		}
		if len(w.quotes) > 0 {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		delete(s.keys[class], key)
	} else {
		s.keys[class][key] = kept
	}
	for _, quote := range met {
		s.await(quote)
	}
}

// take returns the quotes that may have a piece at a place: inside their lines, and after their earlier
// pieces.
func (s *search) take(w *waiting, place int) []int {
	var taken []int
	w.quotes = slices.DeleteFunc(w.quotes, func(quote int) bool {
		m, end := &s.matches[quote], place+len(w.piece.norm)
		if start, limit := s.text.window(&s.queries[quote]); place < start || end > limit || m.pieces > 0 && place < m.end {
			return false
		}
		if m.pieces == 0 {
			m.start = place
		}
		m.pieces, m.end = m.pieces+1, end
		taken = append(taken, quote)
		return true
	})
	return taken
}
