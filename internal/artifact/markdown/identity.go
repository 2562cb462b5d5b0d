package markdown

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// homeless is an item whose id is missing, malformed or taken. It is kept under a free id,
// which it gets when all that have one of their own are known.
type homeless struct {
	item  *artifact.Item
	text  string    // what is where the id should be
	marks *[]IDMark // where it is noted, nil if nowhere
	index int
}

// openItem finds or makes the item that a heading opens.
func (p *parser) openItem(b *block) *artifact.Item {
	s := b.itemSection()
	if !b.wellID {
		return p.misfit(&p.outline.Malformed, b.head.id, s, b.at+1)
	}
	if s == artifact.ResearchThread {
		return p.thread
	}
	id := artifact.ItemID(b.head.id)
	if b.inside && s != b.section {
		p.outline.Malformed = append(p.outline.Malformed, IDMark{b.head.id, b.section, b.at + 1, id})
	}
	if it := p.items[id]; p.rows[it] {
		delete(p.rows, it) // the details of a row of the predictions table
		return it
	}
	return p.claim(id, s, b.at+1)
}

// claim gives a well-formed id to the first item that bears it.
func (p *parser) claim(id artifact.ItemID, s artifact.Section, line int) *artifact.Item {
	if p.items[id] == nil {
		p.items[id] = artifact.NewItem(id, s)
		return p.items[id]
	}
	return p.misfit(&p.outline.Duplicates, string(id), s, line)
}

// misfit makes an item that gets its id later, and notes it.
func (p *parser) misfit(marks *[]IDMark, text string, s artifact.Section, line int) *artifact.Item {
	*marks = append(*marks, IDMark{Text: text, Section: s, Line: line})
	it := artifact.NewItem("", s)
	p.homeless = append(p.homeless, homeless{it, text, marks, len(*marks) - 1})
	return it
}

// nameless makes an item that has no id at all.
func (p *parser) nameless(s artifact.Section) *artifact.Item {
	it := artifact.NewItem("", s)
	p.homeless = append(p.homeless, homeless{item: it})
	return it
}

// maxNumber is the highest number that an id can have.
const maxNumber = 999_999_999

// assignIDs gives the homeless items of a section their ids: the one that was probably meant, or
// the next after the highest.
func (p *parser) assignIDs(s artifact.Section) {
	next := 1
	for id, it := range p.items {
		if it.Section == s {
			next = max(next, id.Number()+1)
		}
	}
	for _, h := range p.homeless {
		if h.item.Section != s {
			continue
		}
		id, ok := likelyID(h.text, s)
		for !ok || p.items[id] != nil {
			if next > maxNumber {
				next = 1
			}
			id, ok = artifact.NewItemID(s, next), true
			next++
		}
		h.item.ID = id
		p.items[id] = h.item
		if h.marks != nil {
			(*h.marks)[h.index].As = id
		}
	}
	p.homeless = slices.DeleteFunc(p.homeless, func(h homeless) bool { return h.item.Section == s })
}

// likelyID guesses what a malformed id was meant to be: h2, H-2 and H02 are H2.
func likelyID(text string, s artifact.Section) (artifact.ItemID, bool) {
	letters := strings.TrimRight(text, "0123456789")
	if !strings.EqualFold(strings.TrimRight(letters, "-_ "), s.Prefix()) {
		return "", false
	}
	id, _, _, ok := artifact.ParseItemID(s.Prefix() + strings.TrimLeft(text[len(letters):], "0"))
	return id, ok
}
