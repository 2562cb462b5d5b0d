package diff

import (
	"slices"

	"brenner/internal/artifact"
)

// Between finds what changed from a to b. It takes linear time.
func Between(a, b *artifact.Artifact) Diff {
	var d Diff
	for _, s := range artifact.Sections() {
		d.section(s, refs(s, a.Items(s)), refs(s, b.Items(s)))
	}
	return d
}

// entry is an item under the name by which it is compared.
type entry struct {
	Ref
	item *artifact.Item
}

func refs(s artifact.Section, items []*artifact.Item) []entry {
	entries := make([]entry, len(items))
	last := 0
	for i, it := range items {
		entries[i] = entry{Ref{s, it.ID, 0}, it}
		if n := it.ID.Number(); n > last && last >= 0 {
			last = n
		} else {
			last = -1 // not in order: an id may be there twice
		}
	}
	if last < 0 {
		count(entries)
	}
	return entries
}

// count numbers the items that share an id.
func count(entries []entry) {
	seen := make(map[artifact.ItemID]int, len(entries))
	for i := range entries {
		e := &entries[i]
		e.Nth = seen[e.ID]
		seen[e.ID]++
	}
}

func index(entries []entry) map[Ref]*artifact.Item {
	m := make(map[Ref]*artifact.Item, len(entries))
	for _, e := range entries {
		m[e.Ref] = e.item
	}
	return m
}

func (d *Diff) section(s artifact.Section, a, b []entry) {
	n := 0 // items that kept their place: all of them, unless a file was edited
	for n < len(a) && n < len(b) && a[n].Ref == b[n].Ref {
		d.item(a[n].Ref, a[n].item, b[n].item)
		n++
	}
	a, b = a[n:], b[n:]
	old, now := index(a), index(b)
	var order []Ref // where the other changes alone put the rest
	for _, e := range a {
		if _, ok := now[e.Ref]; ok {
			order = append(order, e.Ref)
		} else {
			d.Removed = append(d.Removed, Removed{e.Ref, e.item.Title()})
		}
	}
	for _, e := range b {
		if was, ok := old[e.Ref]; ok {
			d.item(e.Ref, was, e.item)
			continue
		}
		order = append(order, e.Ref)
		d.Added = append(d.Added, Added{e.Ref, e.item, e.item.Origin()})
		if k := e.item.Killed; k != nil {
			d.Killed = append(d.Killed, Killed{Ref: e.Ref, Record: *k})
		}
	}
	if !slices.EqualFunc(order, b, func(r Ref, e entry) bool { return r == e.Ref }) {
		d.Moved = append(d.Moved, Order{s, n, names(b)})
	}
}

func names(entries []entry) []Ref {
	refs := make([]Ref, len(entries))
	for i, e := range entries {
		refs[i] = e.Ref
	}
	return refs
}

func (d *Diff) item(r Ref, a, b *artifact.Item) {
	var edits []Edit
	for _, f := range r.Section.Fields() {
		edits = append(edits, fieldEdits(f.Name, a.Get(f.Name), b.Get(f.Name))...)
	}
	edits = append(edits, extraEdits(a.Extra(), b.Extra())...)
	if !slices.Equal(a.Conflicts, b.Conflicts) {
		path := Path{Kind: Conflicts, Field: conflictsField}
		edits = append(edits, Edit{Path: path, Old: disputed(a.Conflicts), New: disputed(b.Conflicts)})
	}
	for _, e := range edits {
		e.Ref, e.Source = r, changedBy(a, b, e.Path)
		d.Edited = append(d.Edited, e)
	}
	d.kill(r, a.Killed, b.Killed)
}

func disputed(fields []string) artifact.Value {
	if len(fields) == 0 {
		return nil
	}
	return artifact.List(fields)
}

// extraEdits compares two lists of extra fields, each sorted by name.
func extraEdits(a, b []artifact.Extra) []Edit {
	var edits []Edit
	edit := func(name string, old, now artifact.Value) {
		edits = append(edits, Edit{Path: Path{Kind: Extra, Field: name}, Old: old, New: now})
	}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			edit(a[0].Name, a[0].Value, nil)
			a = a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			edit(b[0].Name, nil, b[0].Value)
			b = b[1:]
		default:
			if a[0].Value != b[0].Value {
				edit(a[0].Name, a[0].Value, b[0].Value)
			}
			a, b = a[1:], b[1:]
		}
	}
	return edits
}

func (d *Diff) kill(r Ref, a, b *artifact.Kill) {
	switch {
	case a == nil && b == nil:
	case a == nil:
		d.Killed = append(d.Killed, Killed{Ref: r, Record: *b})
	case b == nil:
		d.Revived = append(d.Revived, Revived{r, *a})
	case a.By != b.By || !a.At.Equal(b.At) || a.Reason != b.Reason:
		d.Killed = append(d.Killed, Killed{Ref: r, Record: *b, Was: a})
	}
}
