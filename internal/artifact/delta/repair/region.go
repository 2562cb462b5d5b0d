package repair

import (
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// region is a part of a message that holds deltas and may have to be written anew.
type region struct {
	start, end int // bytes of the message
	pieces     []piece
	fence      *markup.Fence // nil for what is in prose
	headed     bool          // it is a delta written as prose
	caption    string        // a line that only reads like a delta
	proper     bool          // it is a delta fence, closed as it should be
	repairs    []protocol.Finding
}

// outside tells whether the region is no delta block yet.
func (r *region) outside() bool { return r.fence == nil || !delta.IsBlock(r.fence) }

// regions finds what is meant as deltas, in order: delta blocks, JSON in other fences or in
// prose, and the prose form.
func (f *fixer) regions() []region {
	var all []region
	end := 0 // of the last one, which may have taken a stray fence line with it
	add := func(found ...region) {
		for _, r := range found {
			if r.start >= end {
				all, end = append(all, r), r.end
			}
		}
	}
	fences, prose := f.doc.Fences(), f.doc.Prose()
	for len(fences) > 0 || len(prose) > 0 {
		if len(prose) == 0 || len(fences) > 0 && fences[0].Start < prose[0].Start {
			if r, ok := f.fenceRegion(&fences[0]); ok {
				add(r)
			}
			fences = fences[1:]
			continue
		}
		add(f.proseRegions(prose[0])...)
		prose = prose[1:]
	}
	return all
}

func (f *fixer) fenceRegion(fence *markup.Fence) (region, bool) {
	r := region{start: fence.Start, end: fence.End, fence: fence, proper: fence.Closed}
	switch {
	case fence.Quoted:
		return r, false
	case delta.IsBlock(fence):
		return r, f.deltaFence(&r)
	default:
		return r, f.otherFence(&r)
	}
}

// deltaFence reads a delta block loosely. One that cannot be read stays as it is.
func (f *fixer) deltaFence(r *region) bool {
	source, place := f.fenceSource(r.fence)
	pieces, ok := split(source, place)
	if !ok {
		return false
	}
	r.pieces = pieces
	if !r.proper {
		f.did(r, protocol.InvalidJSON, "Closed the fence.")
	}
	if len(source) > len(r.fence.Content) {
		f.did(r, protocol.InvalidJSON, "Moved the JSON below the line of its fence.")
	}
	switch objects, words := r.count(); {
	case objects > 1:
		f.did(r, protocol.InvalidJSON, "Gave each object of the block a fence of its own.")
	case words > 0:
		f.did(r, protocol.InvalidJSON, "Took the words around the object out of the fence.")
	}
	return true
}

// fenceSource returns the text of a delta block: its content, and before it what is
// behind the word delta on the line of the fence.
func (f *fixer) fenceSource(fence *markup.Fence) (string, func(int) (int, int)) {
	inline := ""
	if i := strings.IndexByte(fence.Info, '{'); i >= 0 {
		inline = fence.Info[i:] + "\n"
	}
	return inline + fence.Content, func(offset int) (line, column int) {
		if offset < len(inline) {
			return fence.Line, 1
		}
		return f.doc.Position(fence.Offset(offset - len(inline)))
	}
}

// otherFence takes a fence of another delta.Language that holds nothing but deltas. Fences inside
// it show that it is a sample (PROTOCOL 4).
func (f *fixer) otherFence(r *region) bool {
	content := r.fence.Content
	if !mentionsDelta(content) || holdsFence(content) && r.fence.Closed {
		return false
	}
	pieces, ok := split(content, func(offset int) (int, int) { return f.doc.Position(r.fence.Offset(offset)) })
	if !ok || !allDeltas(pieces) {
		return false
	}
	r.pieces, r.proper = pieces, false
	if _, words := r.count(); words > 0 && r.fence.Closed {
		return false
	}
	f.did(r, protocol.MB122, "Put the JSON into a delta fence.")
	return true
}

// mentionsDelta is a quick look whether a text can hold a delta object.
func mentionsDelta(text string) bool {
	return containsFold(text, delta.OperationKey) && containsFold(text, delta.SectionKey)
}

func containsFold(text, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

func holdsFence(content string) bool {
	for line := range strings.Lines(content) {
		if line = strings.TrimLeft(line, " \t"); strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			return true
		}
	}
	return false
}

func allDeltas(pieces []piece) bool {
	for i := range pieces {
		if pieces[i].isObject() && !pieces[i].delta {
			return false
		}
	}
	return true
}

// did records a repair of the region itself.
func (f *fixer) did(r *region, code protocol.Code, message string) {
	line, column := f.doc.Position(r.start)
	r.repairs = append(r.repairs, protocol.NewFinding(code, "%s", message).As(protocol.SeverityInfo).At(line, column).WithFix(""))
}

func (r *region) count() (objects, words int) {
	for i := range r.pieces {
		if r.pieces[i].isObject() {
			objects++
		} else {
			words++
		}
	}
	return objects, words
}
