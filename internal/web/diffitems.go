package web

import (
	"cmp"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/textdiff"
)

const (
	changesPerPage = 100
	maxCompared    = 8 << 10 // bytes of a value whose words are compared
)

// countView counts one kind of change.
type countView struct {
	Kind string
	N    int
}

// changeView is an item that changed, with everything that changed in it.
type changeView struct {
	Thread   string
	ID, Name string
	Section  string
	Kinds    []string
	Href     string       // the item in the later version; in the earlier one if it is gone
	Lead     string       // what an added item says
	Fields   int          // how many fields an added item has
	Results  []resultCard // what was found on the way
	Edits    []editView
	Killed   *endView
	Was      string // the reason before, or of the kill that was taken back
	Credit   *creditView

	section artifact.Section
	nth     int
	gone    bool // it is in the earlier version alone
	kill    *artifact.Kill
}

// endView says who killed an item, and why.
type endView struct {
	By     figure.Agent
	Reason template.HTML
}

// editView is a field with its old and its new value in one text.
type editView struct {
	Label  string
	Spans  []spanView
	Credit *creditView

	result bool // it tells a result, of which there is a card
}

type spanView struct {
	Kind string // del, ins, empty: the same
	Text string
}

// creditView says who changed something, when, where and why.
type creditView struct {
	Agent     string
	By        figure.Agent
	At        time.Time
	MessageID int64
	Rationale string
}

func credit(s *artifact.Source) *creditView {
	if s == nil {
		return nil
	}
	return &creditView{Agent: s.Agent, At: s.At, MessageID: s.MessageID, Rationale: protocol.ShortenBytes(s.Rationale, 600)}
}

// signed has the mark of its agent.
func (c *creditView) signed(rd *reader) *creditView {
	if c == nil {
		return nil
	}
	copied := *c
	copied.By = rd.cast.Of(c.Agent)
	return &copied
}

// summaryOf is what a COMPILED subject says behind its version.
func summaryOf(subject string) string {
	if s, ok := strings.CutPrefix(subject, "COMPILED: "); ok {
		if _, rest, ok := strings.Cut(s, " "); ok {
			return rest
		}
	}
	return subject
}

// changes lists what changed, item by item in the order of the artifact.
func (p *diffPage) changes(at *url.URL, c *comparison) {
	list := c.changes
	p.Counts, p.Empty = c.counts, c.empty
	page, _ := strconv.Atoi(at.Query().Get("page"))
	page = min(max(page, 1), (len(list)+changesPerPage-1)/changesPerPage+1)
	p.Pager = newPager(at, page, changesPerPage, len(list))
	for i := (page - 1) * changesPerPage; i < min(page*changesPerPage, len(list)); i++ {
		p.Changes = append(p.Changes, list[i].compared(p))
	}
}

// changeList gathers the parts of a diff by item.
type changeList struct {
	now   *artifact.Artifact
	items map[diff.Ref]*changeView
}

// sorted lists the items in the order of the artifact.
func (c *changeList) sorted() []*changeView {
	list := slices.Collect(maps.Values(c.items))
	slices.SortFunc(list, func(x, y *changeView) int {
		return cmp.Or(cmp.Compare(x.section, y.section), artifact.CompareKeys(x.ID, y.ID), cmp.Compare(x.nth, y.nth))
	})
	return list
}

func (c *changeList) edited() int {
	n := 0
	for _, v := range c.items {
		if slices.Contains(v.Kinds, "edited") {
			n++
		}
	}
	return n
}

func (c *changeList) take(d diff.Diff) {
	for _, x := range d.Added {
		v := c.item(x.Ref, "added")
		v.Credit = credit(x.Source)
		v.Name, v.Lead, v.Fields = short(200, x.Item.Title()), short(320, x.Item.Lead()), fieldCount(x.Item)
	}
	for _, x := range d.Edited {
		v := c.item(x.Ref, "edited")
		tells := x.Section == artifact.DiscriminativeTests && tellsResult(x.Path.String())
		v.Edits = append(v.Edits, editView{Label: labelOf(x), Credit: credit(x.Source), result: tells, Spans: []spanView{
			{"del", artifact.ValueText(x.Old)}, {"ins", artifact.ValueText(x.New)},
		}})
	}
	for _, x := range d.Killed {
		v := c.item(x.Ref, "killed")
		v.kill = &x.Record
		v.Credit = credit(x.Record.Source)
		if x.Was != nil {
			v.Was = protocol.ShortenBytes(x.Was.Reason, 2000)
		}
	}
	for _, x := range d.Revived {
		c.item(x.Ref, "revived").Was = protocol.ShortenBytes(x.Was.Reason, 2000)
	}
	for _, x := range d.Removed {
		v := c.item(x.Ref, "removed")
		v.Name, v.gone = short(200, x.Name), true
	}
}

func (c *changeList) item(ref diff.Ref, kind string) *changeView {
	v := c.items[ref]
	if v == nil {
		v = &changeView{ID: string(ref.ID), Section: ref.Section.Title(), section: ref.Section, nth: ref.Nth}
		if it := c.now.Item(ref.ID); it != nil {
			v.Name = short(200, it.Title())
		}
		c.items[ref] = v
	}
	if !slices.Contains(v.Kinds, kind) {
		v.Kinds = append(v.Kinds, kind)
	}
	return v
}

func itemIn(page string, id artifact.ItemID) string {
	if page == "" {
		return ""
	}
	return page + "?item=" + url.QueryEscape(string(id)) + "#" + url.PathEscape(string(id))
}

// compared marks what changed inside the values, for the items that are shown. Edits of one block in a
// row are credited once, below the last.
func (v changeView) compared(p *diffPage) changeView {
	v.Thread, v.Href = p.Thread, itemIn(p.To.Href, artifact.ItemID(v.ID))
	if v.gone {
		v.Href = itemIn(p.From.Href, artifact.ItemID(v.ID))
	}
	if v.kill != nil {
		v.Killed = &endView{p.reader.cast.Of(v.kill.By), p.reader.text(protocol.ShortenBytes(v.kill.Reason, 2000))}
	}
	v.Credit = v.Credit.signed(p.reader)
	v.Results, v.Edits = p.found[artifact.ItemID(v.ID)], slices.Clone(v.Edits)
	if len(v.Results) > 0 {
		v.Edits = slices.DeleteFunc(v.Edits, func(e editView) bool { return e.result })
	}
	for i := range v.Edits {
		e := &v.Edits[i]
		e.Credit = e.Credit.signed(p.reader)
		if i+1 < len(v.Edits) && e.Credit != nil && v.Edits[i+1].Credit != nil && *e.Credit == *v.Edits[i+1].Credit.signed(p.reader) {
			e.Credit = nil
		}
		before, after := e.Spans[0].Text, e.Spans[1].Text
		if len(before)+len(after) > 2*maxCompared {
			e.Spans = []spanView{{"del", protocol.ShortenBytes(before, maxCompared)}, {"ins", protocol.ShortenBytes(after, maxCompared)}}
			continue
		}
		e.Spans = nil
		for _, s := range textdiff.Words(before, after) {
			e.Spans = append(e.Spans, spanView{spanKinds[s.Change], s.Text})
		}
	}
	return v
}

var spanKinds = [...]string{textdiff.Same: "", textdiff.Deleted: "del", textdiff.Inserted: "ins"}

// labelOf names a field as the document does.
func labelOf(e diff.Edit) string {
	switch e.Path.Kind {
	case diff.Conflicts:
		return "In dispute"
	case diff.Extra:
		return short(80, e.Path.String())
	}
	return short(120, e.Section.Label(e.Path.String()))
}

func fieldCount(it *artifact.Item) int {
	n := len(it.Extra())
	for _, spec := range it.Section.Fields() {
		if it.Get(spec.Name) != nil {
			n++
		}
	}
	return n
}
