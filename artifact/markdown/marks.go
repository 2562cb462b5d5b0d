package markdown

import "brenner/artifact"

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

func (p *parser) finishOutline() Outline {
	o := p.outline
	for _, m := range p.marks {
		o.mark(m.item.ID, m.field, m.line)
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
