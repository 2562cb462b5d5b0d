package markdown

import "brenner/internal/artifact"

// While a file is read some items have no id yet: what the outline says of them is kept with
// the item and written down at the end.
type (
	lineMark struct {
		item  *artifact.Item
		field string
		line  int
	}
	testMark struct {
		item *artifact.Item
		mark TestMark
	}
	linkMark struct {
		item *artifact.Item
		mark ReferenceMark
	}
)

func (p *parser) mark(it *artifact.Item, field string, line int) {
	p.marks = append(p.marks, lineMark{it, field, line})
}

// markKey marks a key of a map, whose path is predictions.H2.
func (p *parser) markKey(it *artifact.Item, field, key string, line int) {
	path, ok := p.paths[[2]string{field, key}]
	if !ok {
		path = field + "." + key
		p.paths[[2]string{field, key}] = path
	}
	p.mark(it, path, line)
}

func (p *parser) finishOutline() Outline {
	o := p.outline
	o.lines = make(map[artifact.ItemID][]lineMark, len(p.items)+1)
	for from := 0; from < len(p.marks); {
		it, to := p.marks[from].item, from+1
		for to < len(p.marks) && p.marks[to].item == it {
			to++
		}
		if before := o.lines[it.ID]; before == nil {
			o.lines[it.ID] = p.marks[from:to:to]
		} else {
			o.lines[it.ID] = append(before, p.marks[from:to]...)
		}
		from = to
	}
	for _, t := range p.tests {
		t.mark.ID = t.item.ID
		o.Tests = append(o.Tests, t.mark)
	}
	for _, l := range p.links {
		l.mark.Item = l.item.ID
		o.References = append(o.References, l.mark)
	}
	return o
}
