package markup

import (
	"sort"
	"strings"
)

// Document is the structure of a text. It is immutable.
type Document struct {
	text     string
	lines    []int // byte offset of each line's beginning
	runes    []int // code points before each multiple of runeStep; nil if all lines are short
	headings []Heading
	fences   []Fence
	prose    []Span
	depth    int // of the deepest nesting of block quotes and list items
}

// Span is a range of bytes of the text.
type Span struct{ Start, End int }

// runeStep is how many bytes Position counts at most, so that many findings on one long
// line do not count the line again and again.
const runeStep = 256

// Parse reads the structure of a text in one pass. It takes any text: what is not valid
// CommonMark does not exist, and bytes that are not UTF-8 count as one column each.
func Parse(text string) *Document {
	watched(text)
	var s scanner
	s.begin(text)
	s.run()
	d := s.doc
	if s.longest > runeStep {
		d.runes = countRunes(text)
	}
	return d
}

// Text returns the text as it was given.
func (d *Document) Text() string { return d.text }

// Headings returns the headings of the document itself, in order; headings inside block
// quotes and list items are text of those.
func (d *Document) Headings() []Heading { return d.headings }

// Fences returns every fenced code block in order, those in block quotes included.
func (d *Document) Fences() []Fence { return d.fences }

// Prose returns the lines outside fences, block quotes and HTML blocks, adjoining ones
// together.
func (d *Document) Prose() []Span { return d.prose }

// Title returns the first heading of level 1.
func (d *Document) Title() (Heading, bool) {
	for _, h := range d.headings {
		if h.Level == 1 {
			return h, true
		}
	}
	return Heading{}, false
}

// Position returns the line and column of a byte offset, both from 1; columns count code
// points.
func (d *Document) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.text))
	line = sort.SearchInts(d.lines, offset+1)
	start := d.lines[line-1]
	if d.runes == nil || offset-start <= runeStep {
		return line, runeCount(d.text[start:offset]) + 1
	}
	return line, d.runesBefore(offset) - d.runesBefore(start) + 1
}

func (d *Document) runesBefore(offset int) int {
	step := offset / runeStep
	return d.runes[step] + runeCount(d.text[step*runeStep:offset])
}

func countRunes(text string) []int {
	counts := make([]int, 0, len(text)/runeStep+1)
	total := 0
	for start := 0; ; start += runeStep {
		counts = append(counts, total)
		if start+runeStep > len(text) {
			return counts
		}
		total += runeCount(text[start : start+runeStep])
	}
}

// runeCount counts the bytes that begin a code point, so that counts of parts add up.
func runeCount(text string) int {
	n := 0
	for i := range len(text) {
		if text[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// Section returns the first section of levels 1 to 3 whose heading matches one of the names and that
// has visible content, else the first one that is empty. The title is never a section (PROTOCOL 4).
func (d *Document) Section(names ...string) (Section, bool) {
	labels := make([]string, len(names))
	for i, name := range names {
		labels[i] = foldLabel(name)
	}
	var empty Section
	found, title := false, true
	for i, h := range d.headings {
		if h.Level == 1 && title {
			title = false
			continue
		}
		if h.Level > 3 {
			continue
		}
		text := foldLabel(h.Text)
		for _, label := range labels {
			if !strings.EqualFold(text, label) {
				continue
			}
			s := d.section(i)
			if s.Present() {
				return s, true
			}
			if !found {
				empty, found = s, true
			}
		}
	}
	return empty, found
}

func (d *Document) section(i int) Section {
	h := d.headings[i]
	end := len(d.text)
	for _, next := range d.headings[i+1:] {
		if next.Level <= h.Level {
			end = next.Start
			break
		}
	}
	return Section{Heading: h, Text: d.text[h.End:end], Start: h.End, End: end}
}
