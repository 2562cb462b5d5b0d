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
	Quoted     bool   // it is inside a block quote
	Start, End int    // from the first fence character to the end of the last line, without its line ending
	Line       int    // of the opening fence, from 1
	Content    string // without the indents of containers and fence; line endings are kept

	source int     // where Content begins in the text, if it is one piece of it
	pieces []piece // otherwise its pieces
}

// piece says where a part of a fence's content comes from.
type piece struct{ content, source int }

// Language returns the first word of the info string in lower case.
func (f *Fence) Language() string {
	info := f.Info
	for i := range len(info) {
		if info[i] == ' ' || info[i] == '\t' {
			info = info[:i]
			break
		}
	}
	return strings.ToLower(info)
}

// Offset returns the byte offset in the text for a byte offset in Content.
func (f *Fence) Offset(content int) int {
	content = min(max(content, 0), len(f.Content))
	if f.pieces == nil {
		return min(f.source+content, f.End)
	}
	i := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].content > content })
	limit := f.End
	if i < len(f.pieces) {
		limit = f.pieces[i].source - 1 // all spaces of a cut tab are the tab
	}
	p := f.pieces[i-1]
	return min(p.source+content-p.content, limit)
}

// verbatim collects the content of an open fence line by line.
type verbatim struct {
	index  int // of the fence in the document
	indent int // of the opening fence, taken off each line
	lines  []contentLine
}

// contentLine is a line of content, or several that adjoin in the text: spaces standing for
// the rest of a cut tab, then text.
type contentLine struct{ pad, start, end int }

// add adds a line.
func (v *verbatim) add(l contentLine) {
	if n := len(v.lines); n > 0 && l.pad == 0 && v.lines[n-1].end == l.start {
		v.lines[n-1].end = l.end
		return
	}
	v.lines = append(v.lines, l)
}

// fill joins the lines into the fence's content. Without indents to take off it is one piece
// of the text itself.
func (v *verbatim) fill(f *Fence, text string) {
	switch {
	case len(v.lines) == 0:
		f.source = f.Start
		return
	case len(v.lines) == 1 && v.lines[0].pad == 0:
		l := v.lines[0]
		f.Content, f.source = text[l.start:l.end], l.start
		return
	}
	size := 0
	for _, l := range v.lines {
		size += l.pad + l.end - l.start
	}
	var b strings.Builder
	b.Grow(size)
	f.pieces = make([]piece, 0, len(v.lines))
	for _, l := range v.lines {
		if l.pad > 0 { // the padding stands for a tab just before the rest of the line
			f.pieces = append(f.pieces, piece{b.Len(), l.start - 1})
			b.WriteString("    "[:l.pad])
		}
		f.pieces = append(f.pieces, piece{b.Len(), l.start})
		b.WriteString(text[l.start:l.end])
	}
	f.Content = b.String()
}
