package artifact

import (
	"maps"
	"slices"
)

// Clone copies the artifact; values and sources are shared, as they are immutable. A fold
// changes its items in place, so whoever keeps an artifact across folds keeps a clone.
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

// SourcePaths returns the paths that have a source, sorted. The empty path is the item
// itself: the block that added it.
func (it *Item) SourcePaths() []string { return slices.Sorted(maps.Keys(it.sources)) }
