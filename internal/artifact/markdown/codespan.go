package markdown

import "strings"

// spans are the code spans of a line, found as CommonMark finds them but never across lines:
// a run of backticks is closed by the next run of the same length. Nothing is escaped inside.
// When we write, every backtick outside a span becomes a reference, so that viewers, which do
// look across lines, find the same spans and no other.
type spans struct {
	starts []int // of each run of backticks
	next   []int // for each run the next of the same length, 0 if there is none
	bad    []int // places that no span we write may cover, ascending
	run    int   // cursors into starts and bad: lines are walked from left to right
	place  int
}

func findSpans(line string) *spans {
	if strings.IndexByte(line, '`') < 0 {
		return nil
	}
	s := &spans{}
	for i := 0; i < len(line); i++ {
		if line[i] == '`' {
			s.starts = append(s.starts, i)
			i += runLength(line[i:], '`')
		}
	}
	s.next = make([]int, len(s.starts))
	latest := map[int]int{}
	for k := len(s.starts) - 1; k >= 0; k-- {
		n := runLength(line[s.starts[k]:], '`')
		s.next[k] = latest[n]
		latest[n] = k
	}
	return s
}

// avoid keeps spans that we write away from what cannot stand in one as it is.
func (s *spans) avoid(line string, w writing) *spans {
	if s == nil {
		return nil
	}
	for i, r := range line {
		if unseen(r) || r == '|' && w.cells {
			s.bad = append(s.bad, i)
		}
	}
	return s
}

// end returns where the code span that opens at i ends, false if none opens there: backticks
// after a backslash open nothing.
func (s *spans) end(line string, i int) (int, bool) {
	for s.starts[s.run] < i {
		s.run++
	}
	k := s.next[s.run]
	if k == 0 || oddBackslashes(line[:i]) {
		return i, false
	}
	end := s.starts[k] + runLength(line[s.starts[k]:], '`')
	for s.place < len(s.bad) && s.bad[s.place] < i {
		s.place++
	}
	return end, s.place == len(s.bad) || s.bad[s.place] >= end
}

// appendTicks writes the run of backticks at i, and the code span it may open; the result is
// where to go on.
func (w writing) appendTicks(b []byte, line string, i int, s *spans) ([]byte, int) {
	n := runLength(line[i:], '`')
	if !w.plain && i != w.guard {
		if end, ok := s.end(line, i); ok {
			return append(b, line[i:end]...), end
		}
		if n == 1 && oddBackslashes(line[:i]) {
			return append(b, '`'), i + 1
		}
	}
	for range n {
		b = appendReference(b, '`')
	}
	return b, i + n
}

func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}
