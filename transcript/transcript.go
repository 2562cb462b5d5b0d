// Package transcript reads a source text whose sections are numbered (§1, §2, …), cites parts
// of it, and knows which citations resolve.
package transcript

import (
	"regexp"
	"strconv"
	"strings"
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
	marked   = regexp.MustCompile(`^(?:#{1,6}[ \t]+)?§[ \t]*([0-9]{1,6})(?:[.:)]|[ \t]|$)[ \t]*(.*)$`)
	numbered = regexp.MustCompile(`^#{1,6}[ \t]+([0-9]{1,6})(?:[.:)]|[ \t]|$)[ \t]*(.*)$`)
)

// Parse cuts a text into its sections. The first section of a number counts; text before the
// first section belongs to none.
func Parse(text string) *Transcript {
	lines := strings.SplitAfter(text, "\n")
	if t := cut(lines, marked); len(t.sections) > 0 {
		return t
	}
	return cut(lines, numbered)
}

func cut(lines []string, heading *regexp.Regexp) *Transcript {
	t := &Transcript{index: map[int]int{}}
	var body strings.Builder
	flush := func() {
		if n := len(t.sections); n > 0 {
			t.sections[n-1].Text = strings.TrimSpace(body.String())
		}
		body.Reset()
	}
	for i, line := range lines {
		m := heading.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			body.WriteString(line)
			continue
		}
		flush()
		number, _ := strconv.Atoi(m[1]) // at most six digits
		title := strings.TrimSpace(strings.TrimRight(m[2], "# \t"))
		if _, seen := t.index[number]; !seen {
			t.index[number] = len(t.sections)
		}
		t.sections = append(t.sections, Section{Number: number, Title: title, Line: i + 1})
	}
	flush()
	return t
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
