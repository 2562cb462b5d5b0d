package web

import (
	"cmp"
	"slices"

	"brenner/internal/artifact"
)

// layout is how an artifact is cut into pages. It takes all items to find out, and an artifact that is
// read never changes: it is laid out once.
type layout struct {
	sections []sectionLayout // in the order of the artifact, the research thread among them
	names    map[artifact.ItemID]string
}

type sectionLayout struct {
	items  []*artifact.Item // in the order of reading
	starts []int            // the first item of each page
	active int
}

func (l *layout) section(s artifact.Section) *sectionLayout { return &l.sections[s] }

func layOut(a *artifact.Artifact) *layout {
	l := &layout{sections: make([]sectionLayout, len(artifact.Sections())), names: map[artifact.ItemID]string{}}
	for _, s := range artifact.Sections()[1:] {
		laid := l.section(s)
		laid.items, laid.starts, laid.active = inReadingOrder(a, s), []int{0}, len(a.Active(s))
		size := 0
		for i, it := range laid.items {
			l.names[it.ID] = short(90, it.Title())
			n := weight(it)
			if first := laid.starts[len(laid.starts)-1]; i > first && (i-first == itemsPerPage || size+n > bytesPerPage) {
				laid.starts, size = append(laid.starts, i), 0
			}
			size += n
		}
	}
	return l
}

// inReadingOrder sorts by status where the section is read by it, as the table of fields lists them.
func inReadingOrder(a *artifact.Artifact, s artifact.Section) []*artifact.Item {
	items := slices.Clone(a.Ordered(s))
	i := s.Field(artifact.Status)
	if i < 0 || s == artifact.DiscriminativeTests {
		return items
	}
	values := s.Fields()[i].Values
	rank := func(it *artifact.Item) int {
		if it.Killed != nil {
			return len(values) + 1
		}
		if k := slices.Index(values, it.Text(artifact.Status)); k >= 0 {
			return k
		}
		return len(values)
	}
	slices.SortStableFunc(items, func(x, y *artifact.Item) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(groupLabel(x), groupLabel(y)))
	})
	return items
}

// weight is about how many bytes of text an item brings to a page.
func weight(it *artifact.Item) int {
	n := 0
	for _, f := range it.Section.Fields() {
		switch v := it.Get(f.Name).(type) {
		case artifact.Text:
			n += min(len(v), longField)
		case artifact.List:
			for _, text := range v {
				n += min(len(text), longField)
			}
		case artifact.Map:
			for _, p := range v {
				n += len(p.Key) + min(len(p.Text), longField)
			}
		case artifact.JSON:
			n += min(len(v), longField)
		case artifact.References:
			n += 80 * len(v)
		}
	}
	for _, x := range it.Extra() {
		n += len(x.Name) + min(len(x.Value), longField)
	}
	return n
}
