package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
)

const (
	maxDrawn     = 120 // items in a picture
	kinPerPage   = 60  // rows of the table
	maxListed    = 50  // cycles, and references that lead nowhere
	maxRelations = 12  // of one item, in its row
)

// genealogyPage is the graph of references across sessions, as a picture and as a table.
type genealogyPage struct {
	Focus    string
	Sessions []sessionChoice
	Items    int // joined by references, in the part that is in focus
	Links    int
	Drawn    int
	Cut      bool // the picture shows less than there is
	Picture  pictureView
	Kin      []kinView
	Pager    pager
	Cycles   []cycleView
	Loose    []looseView
	More     int // loose references that are not listed
}

type sessionChoice struct {
	ID       string
	Links    int
	Selected bool
}

// kinView is an item in the table.
type kinView struct {
	Row      string
	ID       string
	Item     string
	Name     string
	Session  string
	Href     string
	Focus    string
	Killed   bool
	Agent    string
	Older    []relationView
	Newer    []relationView
	MoreKin  int
	InCenter bool
}

// relationView is a reference as one of its ends sees it.
type relationView struct {
	Relation string
	Item     string
	Session  string // short; empty: the same session
	Title    string // its name in full
	Href     string
	Loose    bool
}

type cycleView struct{ Path, LeftOut string }

type looseView struct {
	From, Relation, To string
	Href               string
}

// genealogy shows the graph, or the part around a session or an item.
func (w *Web) genealogy(r *http.Request) (view, error) {
	readable, err := w.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return view{}, err
	}
	whole, err := w.deps.Sessions.Genealogy(r.Context(), readable)
	if err != nil {
		return view{}, err
	}
	p := genealogyPage{Focus: r.URL.Query().Get("focus")}
	g, near := whole, []genealogy.NodeID(nil)
	if p.Focus != "" {
		if g, err = whole.Focus(p.Focus); err != nil {
			return view{}, err
		}
		near = centre(g, p.Focus)
	}
	p.Sessions = choices(whole, p.Focus)
	kin := kinOf(g)
	p.Items, p.Links = len(kin.order), len(g.Edges)
	excerpt := g.Excerpt(near, maxDrawn)
	p.Picture = drawn(excerpt, p.Focus)
	p.Drawn = p.Picture.Items
	p.Cut = excerpt != g
	p.table(r.URL, g, kin)
	p.troubles(g)
	return view{Template: "genealogy", Title: "Family tree", Nav: "genealogy", Data: p}, nil
}

// centre lists the items that the focus names.
func centre(g *genealogy.Graph, focus string) []genealogy.NodeID {
	var ids []genealogy.NodeID
	for _, n := range g.Nodes {
		if string(n.ID) == focus || n.ID.Session() == focus {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// choices lists the sessions that references lead from or to, those with most of them first.
func choices(g *genealogy.Graph, focus string) []sessionChoice {
	count := map[string]int{}
	for _, e := range g.Edges {
		count[e.From.Session()]++
		if !e.Dangling && e.To.Session() != e.From.Session() {
			count[e.To.Session()]++
		}
	}
	session, _, _ := strings.Cut(focus, "#")
	if _, ok := count[session]; !ok && g.HasSession(session) {
		count[session] = 0
	}
	list := make([]sessionChoice, 0, len(count))
	for id, n := range count {
		list = append(list, sessionChoice{id, n, id == session})
	}
	slices.SortFunc(list, func(a, b sessionChoice) int { return strings.Compare(b.ID, a.ID) })
	return list
}

func focusURL(name string) string { return "/genealogy?focus=" + url.QueryEscape(name) }

// kinship is what each item refers to, and what refers to it.
type kinship struct {
	order        []genealogy.Node // joined items, in the order of the graph
	older, newer map[genealogy.NodeID][]genealogy.Edge
}

func kinOf(g *genealogy.Graph) kinship {
	k := kinship{older: map[genealogy.NodeID][]genealogy.Edge{}, newer: map[genealogy.NodeID][]genealogy.Edge{}}
	for _, e := range g.Edges {
		k.older[e.From] = append(k.older[e.From], e)
		k.newer[e.To] = append(k.newer[e.To], e)
	}
	for _, n := range g.Nodes {
		if len(k.older[n.ID])+len(k.newer[n.ID]) > 0 {
			k.order = append(k.order, n)
		}
	}
	return k
}

// table lists the joined items, a page at a time. Where nothing is joined, it lists what is in focus.
func (p *genealogyPage) table(at *url.URL, g *genealogy.Graph, k kinship) {
	nodes := k.order
	if len(nodes) == 0 && p.Focus != "" {
		nodes = g.Nodes
	}
	page, _ := strconv.Atoi(at.Query().Get("page"))
	page = min(max(page, 1), max(1, (len(nodes)+kinPerPage-1)/kinPerPage))
	p.Pager = newPager(at, page, kinPerPage, len(nodes))
	shown := nodes[(page-1)*kinPerPage : min(page*kinPerPage, len(nodes))]
	rows := map[genealogy.NodeID]string{}
	for i, n := range shown {
		rows[n.ID] = "n" + strconv.Itoa((page-1)*kinPerPage+i+1)
	}
	for _, n := range shown {
		v := kinView{
			Row: rows[n.ID], ID: string(n.ID), Item: string(n.Item), Name: short(120, n.Name), Session: n.ID.Session(),
			Href: latestItemURL(n.ID.Session(), string(n.Item)), Focus: focusURL(string(n.ID)), Killed: n.Killed, Agent: n.Written.Agent,
			InCenter: string(n.ID) == p.Focus,
		}
		v.Older, v.MoreKin = relations(k.older[n.ID], rows, olderEnd)
		newer, more := relations(k.newer[n.ID], rows, newerEnd)
		v.Newer, v.MoreKin = newer, v.MoreKin+more
		p.Kin = append(p.Kin, v)
	}
}

// olderEnd and newerEnd are an edge as seen from its other end.
func olderEnd(e genealogy.Edge) (genealogy.NodeID, string) {
	return e.To, strings.ReplaceAll(e.Relation, "_", " ")
}

func newerEnd(e genealogy.Edge) (genealogy.NodeID, string) {
	return e.From, draw.Inverse(e.Relation)
}

func relations(edges []genealogy.Edge, rows map[genealogy.NodeID]string,
	end func(genealogy.Edge) (genealogy.NodeID, string)) ([]relationView, int) {
	var views []relationView
	for i, e := range edges {
		if i == maxRelations {
			return views, len(edges) - i
		}
		far, relation := end(e)
		v := relationView{Relation: short(24, relation), Item: short(20, far.Item()), Title: short(200, string(far)), Loose: e.Dangling}
		if e.From.Session() != e.To.Session() {
			v.Session = short(40, slug(far.Session()))
		}
		switch {
		case rows[far] != "":
			v.Href = "#" + rows[far]
		case !e.Dangling:
			v.Href = focusURL(string(far))
		}
		views = append(views, v)
	}
	return views, 0
}

// slug leaves the date of a session's id out: RS-20260110-cell-fate reads cell-fate.
func slug(thread string) string {
	if len(thread) > 12 && strings.HasPrefix(thread, "RS-") && thread[11] == '-' {
		return thread[12:]
	}
	return thread
}

// troubles lists what the graph could not make part of itself.
func (p *genealogyPage) troubles(g *genealogy.Graph) {
	for i, c := range g.Cycles {
		if i == maxListed {
			break
		}
		var out []string
		for _, e := range c.LeftOut {
			out = append(out, string(e.From)+" "+strings.ReplaceAll(e.Relation, "_", " ")+" "+string(e.To))
		}
		p.Cycles = append(p.Cycles, cycleView{short(400, c.String()), short(400, strings.Join(out, ", "))})
	}
	for _, e := range g.Edges {
		if !e.Dangling {
			continue
		}
		if len(p.Loose) == maxListed {
			p.More++
			continue
		}
		p.Loose = append(p.Loose, looseView{
			From: string(e.From), Relation: short(24, strings.ReplaceAll(e.Relation, "_", " ")), To: short(120, string(e.To)),
			Href: latestItemURL(e.From.Session(), e.From.Item()),
		})
	}
}
