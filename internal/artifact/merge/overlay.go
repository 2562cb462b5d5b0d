package merge

import (
	"slices"

	"brenner/internal/artifact"
)

// overlayFrom is the size from which changes of a map are collected beside it. Values are
// immutable: without this, a map that grows key by key would be copied for every key.
var overlayFrom = 256

// overlay notes changed keys of a large map. The item gets them when it is read, or when
// they have become many: a key then costs a copied part of the map, whatever its size.
func (b *block) overlay(name string, changed []wish) {
	e := b.entry
	if len(changed) == 0 {
		return
	}
	over := e.overlays[name]
	if over == nil {
		over = make(map[string]artifact.Value)
		if e.overlays == nil {
			e.overlays = make(map[string]map[string]artifact.Value)
		}
		e.overlays[name] = over
		b.uneven = append(b.uneven, e)
	}
	for _, w := range changed {
		over[w.key] = w.want
	}
	if 4*len(over) > len(e.item.Map(name)) {
		e.level(name)
	}
}

// level gives the item's map what was collected beside it.
func (e *entry) level(name string) {
	over := e.overlays[name]
	if over == nil {
		return
	}
	delete(e.overlays, name)
	changed := make([]wish, 0, len(over))
	for key, v := range over {
		changed = append(changed, wish{key: key, want: v})
	}
	slices.SortFunc(changed, func(x, y wish) int { return artifact.CompareKeys(x.key, y.key) })
	next := weave(e.item.Map(name), changed)
	if next == nil {
		next = artifact.Map{} // all keys are gone, the map is not
	}
	e.item.Set(name, next)
}

// level gives all items what was collected beside them, before they are read.
func (s *State) level() {
	if len(s.uneven) == 0 {
		return // and nothing is written: readers do not disturb each other
	}
	for _, e := range s.uneven {
		for _, f := range e.item.Section.Fields() {
			e.level(f.Name)
		}
	}
	s.uneven = nil
}
