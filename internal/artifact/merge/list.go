package merge

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// editList unites a list with what is there, or replaces or clears it. Lists are not units
// of conflict: uniting loses nothing.
func (b *block) editList(f *delta.Field) {
	item := b.entry.item
	now, next := item.Get(f.Name), f.Value
	gone, added := references(now), references(next)
	if next != nil && !f.Replace {
		var grown bool
		if next, grown = b.unite(f.Name, now, next); !grown {
			return
		}
		gone, added = nil, references(next)[len(gone):]
	} else if artifact.Equal(now, next) {
		return
	}
	u := b.unit(b.entry, f.Name, f.Name, now)
	b.checkBase(place{path: f.Name, in: f}, u, now, next)
	u.before, u.changed = standing{now, item.Source(f.Name)}, b.report.place
	u.last = claim{b.agent, b.human, b.report.place, next, b.source}
	b.record(Change{Field: f.Name, Kind: KindEdited, Old: now, New: next, By: b.source})
	b.changed = true
	b.sourceReferences(gone, added)
	item.Set(f.Name, next)
	if next == nil {
		item.SetSource(f.Name, nil)
	} else {
		item.SetSource(f.Name, b.source)
	}
	if f.Replace || next == nil {
		b.forget(f.Name)
	}
}

// unite appends what is new, keeping the order of what is there (PROTOCOL 7), and tells
// whether that was anything.
func (b *block) unite(name string, now, more artifact.Value) (artifact.Value, bool) {
	e := b.entry
	switch more := more.(type) {
	case artifact.List:
		old, _ := now.(artifact.List)
		united, set := unite(old, more, e.lists[name])
		if set != nil {
			if e.lists == nil {
				e.lists = make(map[string]members[string])
			}
			e.lists[name] = set
		}
		return artifact.List(united), len(united) > len(old)
	case artifact.References:
		old, _ := now.(artifact.References)
		var united []artifact.Reference
		united, e.refs = unite(old, more, e.refs)
		return artifact.References(united), len(united) > len(old)
	}
	return now, false
}

// sourceReferences records where each reference was first written: the age of a reference is
// its own, not that of the list (PROTOCOL 13). One that is both gone and added has stayed.
func (b *block) sourceReferences(gone, added artifact.References) {
	item := b.entry.item
	stay := make(map[string]bool, len(added))
	for _, ref := range added {
		stay[ref.Path()] = true
	}
	for _, ref := range gone {
		if path := ref.Path(); !stay[path] {
			item.SetSource(path, nil)
		}
	}
	for path := range stay {
		if item.Source(path) == nil {
			item.SetSource(path, b.source)
		}
	}
}

// references returns a value that is a list of references, or nil.
func references(v artifact.Value) artifact.References {
	refs, _ := v.(artifact.References)
	return refs
}

// forget drops the set behind a list that no longer grew out of it.
func (b *block) forget(name string) {
	if name == artifact.ReferencesField {
		b.entry.refs = nil
		return
	}
	delete(b.entry.lists, name)
}

// setFrom is the length from which a list keeps a set of its members. The list then belongs
// to the merge and grows in place: a reader of an older value sees its own length only.
var setFrom = 32

// unite returns old with the new elements of more behind it.
func unite[T comparable](old, more []T, set members[T]) ([]T, members[T]) {
	if set == nil && len(old)+len(more) <= setFrom {
		united := slices.Clip(old)
		for _, v := range more {
			if !slices.Contains(united, v) {
				united = append(united, v)
			}
		}
		return united, nil
	}
	if set == nil {
		old = slices.Clone(old)
		set = make(members[T], 2*(len(old)+len(more)))
		for _, v := range old {
			set[v] = struct{}{}
		}
	}
	for _, v := range more {
		if _, known := set[v]; !known {
			set[v] = struct{}{}
			old = append(old, v)
		}
	}
	return old, set
}
