package merge

import (
	"slices"
	"strings"

	"brenner/artifact"
	"brenner/artifact/delta"
)

// edit merges one field of an EDIT into the item (PROTOCOL 7).
func (b *block) edit(f *delta.Field) {
	item := b.entry.item
	now := item.Get(f.Name)
	var next artifact.Value
	switch item.Section.Fields()[item.Section.Field(f.Name)].Kind {
	case artifact.KindList, artifact.KindReferences:
		next = b.editList(f, now)
	case artifact.KindMap:
		next = b.editMap(f, now)
	case artifact.KindScore:
		next = b.editScore(f, now)
	default: // overwritten whole
		next = b.settle(place{path: f.Name, in: f}, now, f.Value)
	}
	if !artifact.Equal(now, next) {
		item.Set(f.Name, next)
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
	next := b.settle(place{path: e.Name, kind: unknownField}, now, want)
	if artifact.Equal(now, next) {
		return
	}
	value, _ := next.(artifact.JSON)
	item.SetExtra(e.Name, value)
}

// wish is what a block asks of one key of a map or part of a score.
type wish struct {
	key       string
	now, want artifact.Value
}

// settleKeys settles the wishes of a field, in order, and returns those keys that changed,
// with the values that stand.
func (b *block) settleKeys(f *delta.Field, wishes []wish) []wish {
	changed := wishes[:0]
	for _, w := range wishes {
		next := b.settle(place{path: f.Name + "." + w.key, in: f}, w.now, w.want)
		if !artifact.Equal(w.now, next) {
			changed = append(changed, wish{w.key, w.now, next})
		}
	}
	if len(changed) > 0 { // the field as a whole was last touched by this block too
		b.entry.item.SetSource(f.Name, b.source)
	}
	return changed
}

// whole records that a map or score came into being or vanished as a whole, where none of
// its keys says so.
func (b *block) whole(f *delta.Field, keys []wish, now, next artifact.Value) artifact.Value {
	item := b.entry.item
	if len(keys) == 0 && !artifact.Equal(now, next) {
		b.record(Change{Field: f.Name, Kind: KindEdited, Old: now, New: next, By: b.source})
		b.changed = true
		item.SetSource(f.Name, b.source)
	}
	if next == nil {
		item.SetSource(f.Name, nil)
	}
	return next
}
