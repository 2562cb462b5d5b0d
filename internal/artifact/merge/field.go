package merge

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// edit merges one field of an EDIT into the item (PROTOCOL 7).
func (b *block) edit(f *delta.Field) {
	item := b.entry.item
	switch item.Section.Fields()[item.Section.Field(f.Name)].Kind {
	case artifact.KindList, artifact.KindReferences:
		b.editList(f)
	case artifact.KindMap:
		b.editMap(f)
	case artifact.KindScore:
		b.editScore(f)
	default: // overwritten whole
		now := item.Get(f.Name)
		if next := b.resolve(place{path: f.Name, in: f}, now, f.Value); !artifact.Equal(now, next) {
			item.Set(f.Name, next)
		}
	}
}

// editExtra overwrites a field that no table names; null removes it.
func (b *block) editExtra(e artifact.Extra) {
	item := b.entry.item
	var now, want artifact.Value
	if i, ok := slices.BinarySearchFunc(item.Extra(), e.Name, func(x artifact.Extra, name string) int {
		return strings.Compare(x.Name, name)
	}); ok {
		now = item.Extra()[i].Value
	}
	if e.Value != "null" {
		want = e.Value
	}
	next := b.resolve(place{path: e.Name, kind: unknownField}, now, want)
	if artifact.Equal(now, next) {
		return
	}
	value, _ := next.(artifact.JSON)
	item.SetExtra(e.Name, value)
}
