package delta

import "strings"

// texts copies what a delta keeps of its block. As read it is a piece of the message: an item with one short
// field would keep a whole message in memory. The short texts of a block share an allocation.
type texts struct {
	short strings.Builder
	room  int // for the short texts of the block
}

// maxShared is the longest text that shares an allocation with others.
const maxShared = 256

// begin begins a block with its payload and rationale.
func (t *texts) begin(values ...value) {
	t.short.Reset()
	t.room = 0
	for _, v := range values {
		if v.ok() {
			t.room += v.shortTexts()
		}
	}
}

// shortTexts is how many bytes the short strings in a value have.
func (v value) shortTexts() int {
	size := 0
	for i := v.at; i < v.node().next; i++ {
		if n := len(v.t.nodes[i].text); n <= maxShared {
			size += n
		}
	}
	return size
}

// own returns a copy of a text.
func (t *texts) own(text string) string {
	if len(text) > maxShared {
		return strings.Clone(text)
	}
	if t.short.Cap()-t.short.Len() < len(text) {
		t.short.Reset()
		t.short.Grow(max(len(text), min(t.room, 4*maxShared)))
	}
	t.room -= len(text)
	t.short.WriteString(text)
	return t.short.String()[t.short.Len()-len(text):]
}
