package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// emphasis finds the runs of *, _ and backquotes that mark up a paragraph: the same run opens behind no letter or
// digit and closes before none. Others are kept as written. It needs no memory but for the kinds of runs.
type emphasis struct {
	end  int            // of the paragraph
	last map[marker]int // the last run of each kind that can close
	open map[marker]bool
}

// marker is a kind of run.
type marker struct {
	b      byte
	length int
}

// enter looks at the paragraph that begins at a place.
func (e *emphasis) enter(text string, start int) {
	e.end = paragraphEnd(text, start)
	e.last, e.open = nil, nil
	paragraph := text[start:e.end]
	for _, b := range []byte("*_`") {
		for i := strings.IndexByte(paragraph, b); i >= 0 && i < len(paragraph); {
			end := i
			for end < len(paragraph) && paragraph[end] == b {
				end++
			}
			if !wordAt(text, start+end) {
				if e.last == nil {
					e.last, e.open = map[marker]int{}, map[marker]bool{}
				}
				e.last[marker{b, end - i}] = start + i
			}
			next := strings.IndexByte(paragraph[end:], b)
			if next < 0 {
				break
			}
			i = end + next
		}
	}
}

// drops tells whether a run opens or closes emphasis.
func (e *emphasis) drops(text string, start, end int) bool {
	if e.last == nil {
		return false
	}
	m := marker{text[start], end - start}
	switch {
	case e.open[m] && !wordAt(text, end):
		e.open[m] = false
	case !e.open[m] && e.last[m] > start && !wordBefore(text, start):
		e.open[m] = true
	default:
		return false
	}
	return true
}

func wordAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return letterOrDigit(r)
}

func wordBefore(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return letterOrDigit(r)
}

func letterOrDigit(r rune) bool {
	return r != utf8.RuneError && !unspaced(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// paragraphEnd returns where the paragraph ends that a place is in: after the line before an empty one.
func paragraphEnd(text string, at int) int {
	for {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
		if blankLine(text, at) {
			return at
		}
	}
}

// blankLine tells whether the line that begins at a place is empty.
func blankLine(text string, at int) bool {
	for ; at < len(text); at++ {
		switch text[at] {
		case '\n':
			return true
		case ' ', '\t', '\r', '\f', '\v':
		default:
			return false
		}
	}
	return true
}
