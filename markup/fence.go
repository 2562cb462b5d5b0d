package markup

import (
	"sort"
	"strings"
)

// Fence is a fenced code block.
type Fence struct {
	Info       string // the info string as written, trimmed
	Char       byte   // '`' or '~'
	Length     int    // of the opening fence
	Closed     bool   // false if the end of its container or of the text closes it
	Quoted     bool   // it stands inside a block quote
	Start, End int    // from the first fence character to the end of the last line, without its line ending
	Line       int    // of the opening fence, from 1
	Content    string // without the indents of containers and fence; line endings are kept

	pieces []piece
}

// piece says where a part of a fence's content comes from.
type piece struct{ content, source int }

// Language returns the first word of the info string in lower case.
func (f Fence) Language() string {
	info := f.Info
	if i := strings.IndexAny(info, " \t"); i >= 0 {
		info = info[:i]
	}
	return strings.ToLower(info)
}

// Offset returns the byte offset in the text for a byte offset in Content.
func (f Fence) Offset(content int) int {
	content = min(max(content, 0), len(f.Content))
	i := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].content > content })
	if i == 0 {
		return f.Start
	}
	p := f.pieces[i-1]
	return min(p.source+content-p.content, f.End)
}

// verbatim collects the content of an open fence line by line.
type verbatim struct {
	index  int // of the fence in the document
	indent int // of the opening fence, taken off each line
	lines  []contentLine
}

// contentLine is a line of content: spaces standing for the rest of a cut tab, then text.
type contentLine struct{ pad, start, end int }

// content joins the lines. Without indents to take off it is one piece of the text itself.
func (v *verbatim) content(text string) (string, []piece) {
	if len(v.lines) == 0 {
		return "", nil
	}
	pieces := []piece{{0, v.lines[0].start}}
	first, last, size := v.lines[0], v.lines[len(v.lines)-1], 0
	contiguous := first.pad == 0
	for i, l := range v.lines {
		if i > 0 && (l.pad > 0 || l.start != v.lines[i-1].end) {
			contiguous = false
		}
		size += l.pad + l.end - l.start
	}
	if contiguous {
		return text[first.start:last.end], pieces
	}
	var b strings.Builder
	b.Grow(size)
	pieces = pieces[:0]
	for _, l := range v.lines {
		if l.pad > 0 { // the padding stands for a tab just before the rest of the line
			pieces = append(pieces, piece{b.Len(), l.start - 1})
			b.WriteString("    "[:l.pad])
		}
		pieces = append(pieces, piece{b.Len(), l.start})
		b.WriteString(text[l.start:l.end])
	}
	return b.String(), pieces
}
