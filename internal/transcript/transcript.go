// Package transcript reads a source text whose sections are numbered (§1, §2, …), cites parts
// of it, and knows which citations resolve.
package transcript

import (
	"regexp"
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

// Transcript is a text cut at its numbered sections.
type Transcript struct {
	sections []Section
	index    map[int]int
}

// Section is one numbered section.
type Section struct {
	Number int
	Title  string
	Text   string // without its heading line
	Line   int
}

// A section begins with a line "§12 Title", as a heading or on its own; a text without any
// such line is cut at headings that begin with a number ("## 12. Title").
var (
	marked   = pattern.Lazy(`^(?:#{1,6}[ \t]+)?§[ \t]*([0-9]{1,6})(?:[.:)]|[ \t]|$)[ \t]*(.*)$`)
	numbered = pattern.Lazy(`^#{1,6}[ \t]+([0-9]{1,6})(?:[.:)]|[ \t]|$)[ \t]*(.*)$`)
)

// Parse cuts a text into its sections. The first section of a number counts; text before the
// first section belongs to none.
func Parse(text string) *Transcript {
	if t := cut(text, marked()); len(t.sections) > 0 {
		return t
	}
	return cut(text, numbered())
}

// cut keeps no copy of the text: sections are parts of it.
func cut(text string, heading *regexp.Regexp) *Transcript {
	t := &Transcript{index: map[int]int{}}
	open, begin, offset, number := false, 0, 0, 0
	closeAt := func(end int) {
		if open {
			t.sections[len(t.sections)-1].Text = strings.TrimSpace(text[begin:end])
		}
	}
	for line := range strings.Lines(text) {
		number++
		if m := heading.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			closeAt(offset)
			open, begin = t.add(m, number), offset+len(line)
		}
		offset += len(line)
	}
	closeAt(len(text))
	return t
}

// most bounds the sections of one text, far beyond any real text.
const maxIndexed = 100_000

// add begins a section, unless its number was there before.
func (t *Transcript) add(heading []string, line int) bool {
	n, _ := strconv.Atoi(heading[1]) // at most six digits
	if _, seen := t.index[n]; seen || len(t.sections) == maxIndexed {
		return false
	}
	t.index[n] = len(t.sections)
	t.sections = append(t.sections, Section{Number: n, Title: strings.TrimSpace(strings.TrimRight(heading[2], "# \t")), Line: line})
	return true
}

// Len returns the number of sections.
func (t *Transcript) Len() int { return len(t.sections) }

// Section finds a section by its number.
func (t *Transcript) Section(number int) (Section, bool) {
	i, ok := t.index[number]
	if !ok {
		return Section{}, false
	}
	return t.sections[i], true
}

// Numbers returns the numbers of all sections, nil if there are none.
func (t *Transcript) Numbers() map[int]bool {
	if len(t.index) == 0 {
		return nil
	}
	numbers := make(map[int]bool, len(t.index))
	for n := range t.index {
		numbers[n] = true
	}
	return numbers
}
