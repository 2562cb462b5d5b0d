package genealogy

import (
	"slices"

	"brenner/internal/protocol"
)

// Focus returns the part of the graph around a session or an item (`T` or `T#H2`): what it
// holds, everything that goes back to, and everything that came of it. An unknown name is
// NOT_FOUND.
func (g *Graph) Focus(name string) (*Graph, error) {
	start := g.named(name)
	if len(start) == 0 && !g.known[name] {
		return nil, protocol.Errorf(protocol.NotFound, "the genealogy has no session or item %s", name)
	}
	up := g.dag.reach(g.links, start, head, everywhere)
	down := g.rdag.reach(g.links, start, tail, everywhere)
	inside := func(id NodeID) bool {
		n, ok := g.index.node(id)
		return ok && (up[n] != notReached || down[n] != notReached)
	}
	p := g.part(inside)
	if !g.known[name] {
		p.focus = NodeID(name)
	}
	return p, nil
}

// named returns the nodes of a session, or the one node of that name.
func (g *Graph) named(name string) []int {
	if !g.known[name] {
		if n, ok := g.index.node(NodeID(name)); ok {
			return []int{n}
		}
		return nil
	}
	var nodes []int
	for i, n := range g.Nodes {
		if n.ID.Session() == name {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// part keeps the nodes inside, the edges among them, the dangling ones that leave them, and
// the cycles that touch them.
func (g *Graph) part(inside func(NodeID) bool) *Graph {
	p := &Graph{sessions: g.sessions, known: g.known, index: newLookup(nil), unspelled: g.unspelled}
	for _, n := range g.Nodes {
		if inside(n.ID) {
			p.index.odd[n.ID] = len(p.Nodes)
			p.Nodes = append(p.Nodes, n)
		}
	}
	for _, i := range g.kept {
		if l := g.links[i]; inside(g.Nodes[l.from].ID) && (l.to < 0 || inside(l.target)) {
			p.links = append(p.links, p.moved(g, l))
		}
	}
	for _, c := range g.Cycles {
		if slices.ContainsFunc(c.Path, inside) {
			p.Cycles = append(p.Cycles, c)
		}
	}
	for _, e := range g.LeftOut {
		if inside(e.From) || inside(e.To) {
			p.LeftOut = append(p.LeftOut, e)
		}
	}
	p.arrange()
	return p
}

// moved renumbers a link of another graph.
func (g *Graph) moved(from *Graph, l link) link {
	l.from = g.index.odd[from.Nodes[l.from].ID]
	if l.to >= 0 {
		l.to = g.index.odd[l.target]
	}
	return l
}
