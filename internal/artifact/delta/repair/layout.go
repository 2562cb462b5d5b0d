package repair

import (
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/pattern"
)

// The headings of a repaired message (the specification's remediation template).
const (
	deltasHeading = "## Deltas"
)

// edit puts blocks of Markdown in the place of a part of the body.
type edit struct {
	start, end int
	blocks     []string
}

// assemble writes the body with the regions anew: the title of a correction, the author's
// prose where it was, the heading before the first block.
func (f *fixer) assemble(regions []region, heading string) string {
	edits := []edit{f.titleEdit(regions)}
	if _, there := f.doc.Section("Deltas"); there {
		heading = ""
	}
	first := f.firstBlock(regions)
	if kept := f.lineStart(first); heading != "" && !startsRegion(regions, first) {
		edits = append(edits, edit{kept, kept, []string{heading}})
		heading = ""
	}
	for i := range regions {
		r := &regions[i]
		e := edit{r.start, r.end, r.blocks(f.eol)}
		if heading != "" && r.caption == "" {
			e.blocks = append([]string{heading}, e.blocks...)
			heading = ""
		}
		edits = append(edits, e)
	}
	return f.apply(edits)
}

// firstBlock is where the first delta block is or will be.
func (f *fixer) firstBlock(regions []region) int {
	first := len(f.body)
	for i := range f.doc.Fences() {
		if fence := &f.doc.Fences()[i]; delta.IsBlock(fence) {
			first = fence.Start
			break
		}
	}
	for i := range regions {
		if regions[i].caption == "" {
			return min(first, regions[i].start)
		}
	}
	return first
}

func startsRegion(regions []region, at int) bool {
	for i := range regions {
		if regions[i].start == at {
			return true
		}
	}
	return false
}

// plainTitles are the titles that the new one replaces; any other becomes a heading.
var plainTitles = pattern.Lazy(`(?i)^(?:corrected )?deltas?(?: contributions?)?$`)

func (f *fixer) titleEdit(regions []region) edit {
	title, ok := f.doc.Title()
	if !ok || strings.TrimSpace(f.body[:title.Start]) != "" || regions[0].start < title.End {
		return edit{0, 0, []string{CorrectedTitle}}
	}
	e := edit{0, title.End, []string{CorrectedTitle}}
	switch text := strings.TrimSpace(title.Text); {
	case text == "" || plainTitles().MatchString(text):
	case headedLine().MatchString(text): // as a heading it would read like a delta
		e.blocks = append(e.blocks, "> "+text)
	default:
		e.blocks = append(e.blocks, "## "+text)
	}
	return e
}

// blocks returns the region as Markdown blocks.
func (r *region) blocks(eol string) []string {
	if r.caption != "" {
		return []string{"> " + r.caption}
	}
	var blocks []string
	for i := range r.pieces {
		p := &r.pieces[i]
		switch {
		case !p.isObject():
			blocks = append(blocks, strings.ReplaceAll(strings.TrimSpace(p.words), "\n", eol))
		case p.mended == p.raw:
			blocks = append(blocks, fenced(p.raw, eol))
		default:
			blocks = append(blocks, fenced(strings.ReplaceAll(p.mended, "\n", eol), eol))
		}
	}
	return blocks
}

// fenced puts JSON into a delta fence longer than any run of backticks in it.
func fenced(json, eol string) string {
	fence := "```"
	for strings.Contains(json, fence) {
		fence += "`"
	}
	return fence + delta.Language + eol + json + eol + fence
}

// apply writes the body with its edits. Blocks are between blank lines at the margin, so
// that nothing around them changes what they are.
func (f *fixer) apply(edits []edit) string {
	w := bodyWriter{eol: f.eol}
	pos := 0
	for _, e := range edits {
		w.prose(f.between(pos, e.start))
		for _, block := range e.blocks {
			w.block(block)
		}
		pos = e.end
	}
	w.prose(f.between(pos, len(f.body)))
	if w.behindBlock {
		w.text = append(w.text, w.eol...)
	}
	return string(w.text)
}

// between returns the text between two edits. Where a block was taken from the middle of a
// line, the space before the rest of it goes too; a whole line keeps its indent.
func (f *fixer) between(start, end int) string {
	text := f.body[start:end]
	if start > 0 && f.body[start-1] != '\n' && f.body[start-1] != '\r' {
		return strings.TrimLeft(text, " \t")
	}
	return text
}

type bodyWriter struct {
	text        []byte
	eol         string
	behindBlock bool
}

// prose writes the author's text. Behind a block it begins after one blank line.
func (w *bodyWriter) prose(text string) {
	if w.behindBlock {
		text = dropBlankLines(text)
	}
	if text == "" {
		return
	}
	if w.behindBlock {
		w.text = append(w.text, w.eol+w.eol...)
		w.behindBlock = false
	}
	w.text = append(w.text, text...)
}

// dropBlankLines drops the blank lines at the beginning.
func dropBlankLines(text string) string {
	for rest := text; ; {
		n := lineLength(rest)
		if n == len(rest) || strings.TrimSpace(rest[:n]) != "" {
			if strings.TrimSpace(rest) == "" {
				return ""
			}
			return rest
		}
		rest = rest[n+1:]
	}
}

// loneMarker is the marker of a list item or heading with nothing behind it: the text there
// became a block, and a marker might underline the line above it.
var loneMarker = pattern.Lazy(`(?:^|\n)[ \t]*(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})$`)

// block writes a block after a blank line.
func (w *bodyWriter) block(text string) {
	before := strings.TrimRight(string(w.text[max(0, len(w.text)-64):]), " \t\r\n")
	if marker := loneMarker().FindString(before); marker != "" && !w.behindBlock {
		w.trim()
		w.text = w.text[:len(w.text)-len(marker)]
	}
	if w.trim(); len(w.text) > 0 {
		w.text = append(w.text, w.eol+w.eol...)
	}
	w.text = append(w.text, text...)
	w.behindBlock = true
}

func (w *bodyWriter) trim() {
	for n := len(w.text); n > 0 && strings.IndexByte(" \t\r\n", w.text[n-1]) >= 0; n-- {
		w.text = w.text[:n-1]
	}
}
