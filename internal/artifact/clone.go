package artifact

import (
	"maps"
	"slices"
)

// Clone copies the artifact; values and sources are shared, as they are immutable. A fold
// changes its items in place, so an artifact that is kept across folds must be a clone.
func (a *Artifact) Clone() *Artifact {
	c := &Artifact{Thread: a.Thread.Clone()}
	for s, items := range a.sections {
		c.sections[s] = make([]*Item, len(items))
		for i, it := range items {
			c.sections[s][i] = it.Clone()
		}
	}
	return c
}

// Fork returns an artifact with the same items, to which items can be added and in which they can be replaced.
// The original and the items are shared from then on, and must no longer be changed.
func (a *Artifact) Fork() *Artifact {
	fork := *a
	for s := range fork.shared {
		fork.shared[s] = true
	}
	return &fork
}

// Replace puts an item in the place of the one with its number. It is for artifacts with dense ids.
func (a *Artifact) Replace(it *Item) {
	if it.Section == ResearchThread {
		a.Thread = it
		return
	}
	a.detach(it.Section)
	a.sections[it.Section][it.ID.Number()-1] = it
}

// detach makes the list of a section one that no other artifact has, with room for another item.
func (a *Artifact) detach(s Section) {
	if a.shared[s] {
		items := a.sections[s]
		a.sections[s] = append(make([]*Item, 0, len(items)+1+len(items)/8), items...)
		a.shared[s] = false
	}
}

// SourcePaths returns the paths that have a source, sorted. The empty path is the item
// itself: the block that added it.
func (it *Item) SourcePaths() []string { return slices.Sorted(maps.Keys(it.sources)) }
