package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"brenner/internal/termtext"
)

// source is a text that findings point into. Looking up findings in order costs one pass
// over the text, however long its lines are.
type source struct {
	lines []string

	// The place of the last lookup, from which the next one in the same line goes on.
	line, column, offset int
}

// newSource splits a text where CommonMark does: at \n, \r\n and a lone \r.
func newSource(text string) *source {
	return &source{lines: strings.Split(lineEndings.Replace(text), "\n")}
}

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// at returns a line and the byte offset of a column in it; both count from 1, columns in
// code points. A column behind the end points there.
func (s *source) at(line, column int) (text string, offset int, ok bool) {
	if s == nil || line < 1 || line > len(s.lines) {
		return "", 0, false
	}
	text = s.lines[line-1]
	if line != s.line || column < s.column {
		s.line, s.column, s.offset = line, 1, 0
	}
	for s.column < column && s.offset < len(text) {
		_, size := utf8.DecodeRuneInString(text[s.offset:])
		s.offset += size
		s.column++
	}
	return text, s.offset, true
}

const (
	tabCells = 4
	ellipsis = "…"
)

// excerpt returns the part of a line around a byte offset that fits into a number of
// cells, made visible, and how many cells come before the offset.
func excerpt(line string, offset, fit int) (shown string, before int) {
	left, cut := excerptLeft(line[:offset], fit*2/3)
	if cut {
		left = ellipsis + left
	}
	before = termtext.Cells(left)
	return left + excerptRight(line[offset:], fit-before), before
}

// excerptLeft returns the end of a text, as much as fits.
func excerptLeft(s string, fit int) (shown string, cut bool) {
	var parts []string
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		part := excerptRune(r, s[len(s)-size:])
		if fit -= termtext.Cells(part); fit < 0 {
			cut = true
			break
		}
		parts = append(parts, part)
		s = s[:len(s)-size]
	}
	var b strings.Builder
	for _, part := range slices.Backward(parts) {
		b.WriteString(part)
	}
	return b.String(), cut
}

// excerptRight returns the beginning of a text, as much as fits.
func excerptRight(s string, fit int) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		part := excerptRune(r, s[:size])
		if fit -= termtext.Cells(part); fit < 0 {
			return b.String() + ellipsis
		}
		b.WriteString(part)
		s = s[size:]
	}
	return b.String()
}

func excerptRune(r rune, raw string) string {
	if r == '\t' {
		return strings.Repeat(" ", tabCells)
	}
	return termtext.Visible(raw)
}
