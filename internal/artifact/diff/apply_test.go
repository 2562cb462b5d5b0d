package diff

import "brenner/internal/artifact"

// Apply returns a with the changes made. For d = Between(a, b) that is b in all its content.
// The artifact given is left as it was; items that did not change are shared with it.
func Apply(a *artifact.Artifact, d Diff) *artifact.Artifact {
	p := patch{items: map[Ref]*artifact.Item{}, order: map[artifact.Section][]Ref{}}
	for _, s := range artifact.Sections() {
		p.load(s, a, d)
	}
	p.change(d)
	return p.build()
}

// patch is an artifact under change: items by name, and their order.
type patch struct {
	items map[Ref]*artifact.Item
	order map[artifact.Section][]Ref
	fresh map[Ref]bool // items that are no longer shared
}

func (p *patch) load(s artifact.Section, a *artifact.Artifact, d Diff) {
	removed := map[Ref]bool{}
	for _, r := range d.Removed {
		removed[r.Ref] = true
	}
	items := a.Items(s)
	p.order[s] = make([]Ref, 0, len(items))
	for _, e := range refs(s, items) {
		if !removed[e.Ref] {
			p.add(e.Ref, e.item)
		}
	}
	for _, e := range d.Added {
		if e.Section == s {
			p.add(e.Ref, e.Item)
		}
	}
	for _, o := range d.Moved {
		if o.Section == s {
			p.order[s] = append(p.order[s][:o.After], o.Items...)
		}
	}
}

func (p *patch) add(r Ref, it *artifact.Item) {
	p.items[r] = it
	p.order[r.Section] = append(p.order[r.Section], r)
}

// own returns the item for changing, nil if there is none.
func (p *patch) own(r Ref) *artifact.Item {
	it := p.items[r]
	if it == nil || p.fresh[r] {
		return it
	}
	if p.fresh == nil {
		p.fresh = map[Ref]bool{}
	}
	it = it.Clone()
	p.items[r], p.fresh[r] = it, true
	return it
}

func (p *patch) change(d Diff) {
	for edits := d.Edited; len(edits) > 0; {
		n := run(edits)
		if it := p.own(edits[0].Ref); it != nil {
			apply(it, edits[:n])
		}
		edits = edits[n:]
	}
	for _, k := range d.Killed {
		if it := p.own(k.Ref); it != nil {
			record := k.Record
			it.Killed = &record
		}
	}
	for _, r := range d.Revived {
		if it := p.own(r.Ref); it != nil {
			it.Killed = nil
		}
	}
}

// run counts the edits at the head of the list that belong to one field.
func run(edits []Edit) int {
	first := edits[0]
	n := 1
	for first.Path.Kind == Entry && n < len(edits) && edits[n].Ref == first.Ref &&
		edits[n].Path.Kind == Entry && edits[n].Path.Field == first.Path.Field {
		n++
	}
	return n
}

// apply makes the edits of one field.
func apply(it *artifact.Item, edits []Edit) {
	e := edits[0]
	switch e.Path.Kind {
	case Conflicts:
		list, _ := e.New.(artifact.List)
		it.Conflicts = list
		return
	case Extra:
		text, _ := e.New.(artifact.JSON)
		it.SetExtra(e.Path.Field, text)
	case Whole:
		it.Set(e.Path.Field, e.New)
	case Entry:
		kind := it.Section.Fields()[it.Section.Field(e.Path.Field)].Kind
		it.Set(e.Path.Field, withEntries(it.Get(e.Path.Field), edits, kind))
	}
	for _, e := range edits {
		if e.Source != nil {
			it.SetSource(e.Path.String(), e.Source)
		}
	}
}

func (p *patch) build() *artifact.Artifact {
	out := artifact.New()
	for _, s := range artifact.Sections() {
		for _, r := range p.order[s] {
			if s == artifact.ResearchThread {
				out.Thread = p.items[r]
			} else if it := p.items[r]; it != nil {
				out.Add(it)
			}
		}
	}
	return out
}
