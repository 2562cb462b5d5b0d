package merge

import (
	"slices"

	"brenner/artifact"
	"brenner/artifact/delta"
)

// editList unites a list with what is there, or replaces or clears it. Lists are not units
// of conflict: uniting loses nothing.
func (b *block) editList(f *delta.Field, now artifact.Value) artifact.Value {
	next := f.Value
	if next != nil && !f.Replace {
		next = b.unite(f.Name, now, next)
	}
	if artifact.Equal(now, next) {
		return now
	}
	item := b.entry.item
	p := place{path: f.Name, in: f}
	u := b.unit(b.entry, f.Name, f.Name, now)
	b.checkBase(p, u, now, next)
	u.before, u.changed = standing{now, item.Source(f.Name)}, b.report.place
	u.last = claim{b.agent, b.report.place, next, b.source}
	b.record(Change{Field: f.Name, Kind: KindEdited, Old: now, New: next, By: b.source})
	b.changed = true
	if next == nil {
		item.SetSource(f.Name, nil)
	} else {
		item.SetSource(f.Name, b.source)
	}
	if f.Replace || f.Value == nil {
		b.forget(f.Name)
	}
	return next
}

// unite appends what is new, keeping the order of what is there (PROTOCOL 7).
func (b *block) unite(name string, now, more artifact.Value) artifact.Value {
	e := b.entry
	switch more := more.(type) {
	case artifact.List:
		old, _ := now.(artifact.List)
		set := e.lists[name]
		united, set := unite(old, more, set)
		if set != nil {
			if e.lists == nil {
				e.lists = make(map[string]members[string])
			}
			e.lists[name] = set
		}
		return keep[artifact.List](now, united)
	case artifact.References:
		old, _ := now.(artifact.References)
		var united []artifact.Reference
		united, e.refs = unite(old, more, e.refs)
		return keep[artifact.References](now, united)
	}
	return now
}

// keep leaves an absent list absent if nothing was united into it.
func keep[L interface {
	~[]T
	artifact.Value
}, T any](now artifact.Value, united []T) artifact.Value {
	if now == nil && len(united) == 0 {
		return nil
	}
	return L(united)
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
// to the merge and grows in place: whoever holds an older value sees its own length only.
const setFrom = 32

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
