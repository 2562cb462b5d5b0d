package web

import (
	"net/url"
	"slices"
	"strconv"

	"brenner/internal/artifact"
	"brenner/internal/session"
	"brenner/internal/study"
)

// How much of a section a page shows. A page of an artifact with thousands of items stays a page.
const (
	itemsPerPage = 25
	bytesPerPage = 24 << 10
	maxStubs     = 1000 // of one section; beyond that pages are listed, not items
	longField    = 4 << 10
)

// sectionView is a section of the artifact.
type sectionView struct {
	ID, Title string
	Number    int
	Active    int
	Killed    int
	Groups    []groupView // items by status, in one group where they have none
	Matrix    *matrixView // of the predictions
	Thread    *itemView   // of the research thread
	Index     []indexEntry
	Before    []indexEntry // items on earlier pages
	After     []indexEntry // and on later ones
	Elsewhere int          // items on other pages
	Pages     []pageLink
	Empty     bool
}

// groupView is the items of one status.
type groupView struct {
	Label string
	State string
	Items []itemView
}

// indexEntry leads to an item.
type indexEntry struct {
	ID, Name string
	Href     string
	Killed   bool
}

type pageLink struct {
	Number  int
	Href    string
	Current bool
}

// binder makes the views of an artifact's parts. It remembers what is on the page, so that links
// lead there or to the page that has it.
type binder struct {
	session.Artifact
	thread  string
	art     *artifact.Artifact
	layout  *layout
	reading reading
	shown   map[artifact.ItemID]bool
	changed map[artifact.ItemID]string
	notes   []noteView
	noteOf  map[noteKey]int
	refs    *linker
	results *resultForm // where results can be recorded; nil: not here
	cast    study.Cast
	home    map[artifact.ItemID]*artifact.Source // where most of an item came from
	clashes map[artifact.ItemID][]clashView
	reviews map[artifact.ItemID]mark         // of the hypotheses as of now; none in an older version
	given   map[artifact.ItemID][]resultCard // results of the tests as of now; none in an older version
}

func newBinder(e session.Artifact, rd reading, l *layout) *binder {
	b := &binder{
		Artifact: e, art: e.Document.Artifact, layout: l, reading: rd, shown: map[artifact.ItemID]bool{},
		changed: map[artifact.ItemID]string{}, noteOf: map[noteKey]int{}, home: map[artifact.ItemID]*artifact.Source{},
	}
	b.refs = &linker{item: func(id artifact.ItemID) (string, bool, bool) {
		it := b.art.Item(id)
		return b.href(id), it != nil && it.Killed != nil, it != nil
	}}
	if e.Version == 1 { // everything is new there: marks say nothing
		return b
	}
	for _, id := range e.Changes.Edited {
		b.changed[id] = "edited"
	}
	for _, id := range e.Changes.Added {
		b.changed[id] = "new"
	}
	return b
}

func (b *binder) sections() []sectionView {
	pages := map[artifact.Section]sectionPage{}
	for _, s := range artifact.Sections()[1:] {
		p := b.page(s)
		pages[s] = p
		for _, it := range p.items {
			b.shown[it.ID] = true
		}
	}
	views := make([]sectionView, 0, len(artifact.Sections()))
	for i, s := range artifact.Sections() {
		v := sectionView{ID: s.String(), Title: s.Title(), Number: i + 1}
		if s == artifact.ResearchThread {
			it := b.item(b.art.Thread)
			v.Thread = &it
		} else {
			b.fill(&v, s, pages[s])
		}
		views = append(views, v)
	}
	return views
}

func (b *binder) fill(v *sectionView, s artifact.Section, p sectionPage) {
	v.Active = b.layout.section(s).active
	v.Killed = p.total - v.Active
	v.Empty = p.total == 0
	v.Elsewhere = p.total - len(p.items)
	for _, it := range p.items {
		v.Index = append(v.Index, b.entry(it))
	}
	if s == artifact.PredictionsTable {
		v.Matrix = b.matrix(p.items)
	} else {
		v.Groups = b.groups(s, p)
	}
	if p.total-len(p.items) <= maxStubs {
		for _, it := range p.before {
			v.Before = append(v.Before, b.entry(it))
		}
		for _, it := range p.after {
			v.After = append(v.After, b.entry(it))
		}
	}
	for n := 1; n <= p.pages && p.pages > 1; n++ {
		q := url.Values{"section": {s.String()}, "page": {strconv.Itoa(n)}}
		v.Pages = append(v.Pages, pageLink{n, "?" + q.Encode() + "#" + s.String(), n == p.current})
	}
}

func (b *binder) entry(it *artifact.Item) indexEntry {
	return indexEntry{string(it.ID), b.layout.names[it.ID], b.href(it.ID), it.Killed != nil}
}

// href leads to an item, on this page if it is here.
func (b *binder) href(id artifact.ItemID) string {
	if b.shown[id] || id == artifact.RT {
		return "#" + string(id)
	}
	return "?item=" + string(id) + "#" + string(id)
}

// groups puts the items of a page under their status; tests keep their rank.
func (b *binder) groups(s artifact.Section, p sectionPage) []groupView {
	var groups []groupView
	for i, it := range p.items {
		label := groupLabel(it)
		if len(groups) == 0 || groups[len(groups)-1].State != label {
			groups = append(groups, groupView{Label: label, State: label})
		}
		v := b.item(it)
		if s == artifact.DiscriminativeTests && it.Active() {
			v.Rank = len(p.before) + i + 1
		}
		last := &groups[len(groups)-1]
		last.Items = append(last.Items, v)
	}
	return groups
}

// groupLabel is the heading of an item: its status, where its section is read by status.
func groupLabel(it *artifact.Item) string {
	switch {
	case it.Section != artifact.AssumptionLedger && it.Section != artifact.AnomalyRegister:
		return ""
	case it.Killed != nil:
		return "killed"
	case it.Text(artifact.Status) == "":
		return "no status"
	}
	return short(40, it.Text(artifact.Status))
}

// sectionPage is the part of a section that a page shows.
type sectionPage struct {
	before, items, after  []*artifact.Item
	total, pages, current int
}

// page cuts a section into pages and picks the one that is asked for.
func (b *binder) page(s artifact.Section) sectionPage {
	laid := b.layout.section(s)
	items, starts := laid.items, laid.starts
	if b.reading.whole {
		starts = starts[:1]
	}
	current := 1
	if b.reading.page > 0 && b.reading.section == s {
		current = min(b.reading.page, len(starts))
	}
	if k := slices.IndexFunc(items, func(it *artifact.Item) bool { return it.ID == b.reading.item }); k >= 0 {
		i, exact := slices.BinarySearch(starts, k)
		if current = i; exact {
			current++
		}
	}
	from, to := starts[current-1], len(items)
	if current < len(starts) {
		to = starts[current]
	}
	return sectionPage{items[:from], items[from:to], items[to:], len(items), len(starts), current}
}
