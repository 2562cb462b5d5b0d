package repair

import (
	"sort"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// inlineDepth bounds the nesting of objects looked for in prose: every brace of a hostile
// text begins a new search.
const inlineDepth = 16

// proseRegions finds the deltas in a stretch of prose: objects, and the form with a heading.
func (f *fixer) proseRegions(span markup.Span) []region {
	text := f.body[span.Start:span.End]
	var found []region
	if mentionsDelta(text) {
		found = f.inlineObjects(span)
	}
	return f.withHeaded(span, found)
}

// inlineObjects finds the objects with operation and section, alone or in a list.
func (f *fixer) inlineObjects(span markup.Span) []region {
	var found []region
	lexer := looseLexer{source: f.body[:span.End]}
	for at := span.Start; at < span.End; {
		i := strings.IndexAny(f.body[at:span.End], "{[")
		if i < 0 {
			break
		}
		at += i
		lexer.pos, lexer.lapses = at, [lapseCount]int{}
		v, ok := parseLoose(&lexer, delta.MaxDepth-inlineDepth)
		if !ok || !holdsDelta(v) {
			at++
			continue
		}
		r := region{start: at, end: v.end}
		r.pieces, _ = split(f.body[at:v.end], func(offset int) (int, int) { return f.doc.Position(r.start + offset) })
		f.did(&r, protocol.MB122, "Put the JSON into a delta fence.")
		at = v.end
		f.widen(&r)
		found = append(found, r)
	}
	return found
}

func holdsDelta(v *loose) bool {
	list := listed(v)
	for _, o := range list {
		if !isDeltaObject(o) {
			return false
		}
	}
	return len(list) > 0 || isDeltaObject(v)
}

// fenceBefore and fenceAfter are what is left of a fence, or an inline code, around an object.
var (
	fenceBefore = pattern.Lazy("[`~]+[ \t]*(?i:delta|json)?[ \t]*\r?\n?[ \t]*$")
	fenceAfter  = pattern.Lazy("^[ \t]*\r?\n?[ \t]*(?:`+|~~~+)")
	captionText = pattern.Lazy(`(?i)^[ \t]*(?:\*\*)?DELTA\[[^\]\n]*\][:*\s]*$`)
)

// around is how many bytes before and behind an object are looked at.
const around = 64

// widen takes what is left of a fence around an object, and the subject before it, with it.
func (f *fixer) widen(r *region) {
	before := fenceBefore().FindString(f.body[max(0, r.start-around):r.start])
	after := fenceAfter().FindString(f.body[r.end:min(len(f.body), r.end+around)])
	if before != "" || f.danglingFence(r.end, after) {
		r.start -= len(before)
		r.end += len(after)
	}
	if start, ok := f.nearLineStart(r.start); ok && captionText().MatchString(f.body[start:r.start]) {
		r.start = start
	}
}

// danglingFence tells whether the line behind an object opens a fence that never ends: the
// closing line of a fence that was never opened.
func (f *fixer) danglingFence(offset int, after string) bool {
	if !strings.ContainsAny(after, "\n\r") {
		return false
	}
	start := offset + strings.IndexAny(after, "`~")
	fences := f.doc.Fences()
	i := sort.Search(len(fences), func(i int) bool { return fences[i].Start >= start })
	return i < len(fences) && fences[i].Start == start && !fences[i].Closed && fences[i].Info == ""
}

// nearLineStart returns the beginning of the line at an offset, unless it is far away.
func (f *fixer) nearLineStart(offset int) (int, bool) {
	from := max(0, offset-around)
	i := strings.LastIndexAny(f.body[from:offset], "\n\r")
	return from + i + 1, i >= 0 || from == 0
}

func (f *fixer) lineStart(offset int) int { return strings.LastIndexAny(f.body[:offset], "\n\r") + 1 }
