package genealogy

import (
	"fmt"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Addition is an item with references that it is about to get. The item need not exist yet;
// its id may then be the one it will get, or empty if that is not known.
type Addition struct {
	Item       artifact.ItemID
	References artifact.References
}

// Check judges references before they are written: one that would close a cycle with those
// that exist, or with others of the same message, is CIRCULAR_REFERENCE; one that leads
// nowhere is UNKNOWN_REFERENCE. Paths count within the item: references[0]. It takes time
// linear in the graph, so it is best asked once for a whole message.
func (g *Graph) Check(session string, additions []Addition) []protocol.Finding {
	findings := []protocol.Finding{}
	if !slices.ContainsFunc(additions, func(a Addition) bool { return len(a.References) > 0 }) {
		return findings
	}
	o := g.overlay(session, additions)
	landed := make([]int, 0, len(o.links))
	for i, l := range o.links {
		if l.to >= 0 {
			landed = append(landed, i)
		}
	}
	var out adjacency
	circular := map[int]bool{}
	if len(landed) > 0 {
		out = list(len(o.Nodes), o.links, landed, tail)
		for _, l := range o.circular(landed) {
			circular[l] = true
		}
	}
	spelled := 0
	for i := len(g.links); i < len(o.links); i++ {
		l, place := o.links[i], o.places[i-len(g.links)]
		switch {
		case l.to < 0:
			unknown := unknownSession
			if g.known[l.target.Session()] || l.target.Session() == session {
				unknown = unknownItem
			}
			f := unknown(o.Nodes[l.from].ID, l.relation, l.target)
			findings = append(findings, f.On(string(place.item)).In(place.path))
		case circular[i] && spelled < MaxCycles:
			spelled++
			f := protocol.NewFinding(protocol.CircularReference,
				"This reference closes a cycle: %s.", pathText(o.cycle(i, out, nil)))
			findings = append(findings, f.On(string(place.item)).In(place.path))
		}
	}
	return findings
}

// overlay is a graph with links on top, which are not written yet.
type overlay struct {
	Graph
	places []place // of the links on top
}

type place struct {
	item artifact.ItemID
	path string
}

func (g *Graph) overlay(session string, additions []Addition) *overlay {
	o := &overlay{Graph: Graph{
		Nodes: slices.Clone(g.Nodes), links: slices.Clone(g.links), index: g.index.with(), known: g.known,
	}}
	from := make([]int, len(additions))
	for i, a := range additions {
		from[i] = o.node(session, a.Item, i)
	}
	for i, l := range o.links {
		if to, ok := o.index.node(l.target); ok && l.to < 0 {
			o.links[i].to = to
		}
	}
	for i, a := range additions {
		for k, ref := range a.References {
			if !names(ref) {
				continue
			}
			target, to := o.resolve(ref)
			o.links = append(o.links, link{from: from[i], to: to, target: target, relation: ref.Relation})
			o.places = append(o.places, place{a.Item, fmt.Sprintf("%s[%d]", artifact.ReferencesField, k)})
		}
	}
	return o
}

// node finds the node of an addition, or makes one. An item whose id is not known yet cannot
// be meant by any reference.
func (o *overlay) node(session string, item artifact.ItemID, i int) int {
	name := string(item)
	if item == "" {
		name = fmt.Sprintf("(new item %d)", i+1)
	}
	id := NewNodeID(session, name)
	if n, ok := o.index.find(session, name); ok {
		return n
	}
	o.index.odd[id] = len(o.Nodes)
	o.Nodes = append(o.Nodes, Node{ID: id, Item: item})
	return len(o.Nodes) - 1
}
