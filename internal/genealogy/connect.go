package genealogy

import "slices"

// MaxCycles is how many cycles are spelled out. Every youngest reference is left out all the
// same, and LeftOut lists them.
const MaxCycles = 200

// connect turns the references as written into the graph: it takes out the youngest one of
// each cycle, lists the rest and finds where everything began.
func (g *Graph) connect() {
	landed := make([]int, 0, len(g.links))
	for i, l := range g.links {
		if l.to >= 0 {
			landed = append(landed, i)
		}
	}
	g.cut(landed)
	g.arrange()
	g.findOrigins()
}

// arrange lists the links that are part of the graph.
func (g *Graph) arrange() {
	g.kept = make([]int, 0, len(g.links))
	g.Edges = make([]Edge, 0, len(g.links))
	landed := make([]int, 0, len(g.links))
	var loose []int
	for i, l := range g.links {
		if l.leftOut {
			continue
		}
		g.kept = append(g.kept, i)
		g.Edges = append(g.Edges, g.edge(i))
		if l.to >= 0 {
			landed = append(landed, i)
		} else {
			loose = append(loose, i)
		}
	}
	g.loose = list(len(g.Nodes), g.links, loose, tail)
	g.dag = list(len(g.Nodes), g.links, landed, tail)
	g.rdag = list(len(g.Nodes), g.links, landed, head)
}

func (g *Graph) edge(i int) Edge {
	l := g.links[i]
	return Edge{g.Nodes[l.from].ID, l.target, l.relation, l.to < 0}
}

// cut marks the youngest reference of each cycle, and spells the cycles out.
func (g *Graph) cut(landed []int) {
	circular := g.circular(landed)
	if len(circular) == 0 {
		return
	}
	g.byAge(circular)
	arcs := make([]arc, len(circular))
	age := make([]int, len(g.links))
	for i, l := range circular {
		arcs[i], age[l] = g.links[l].arc(), i
	}
	out := list(len(g.Nodes), g.links, circular, tail)
	spelled := map[arc]int{} // cycles by the ends of their youngest reference
	for i, youngest := range closing(len(g.Nodes), arcs) {
		if !youngest {
			continue
		}
		l := circular[i]
		g.links[l].leftOut = true
		g.LeftOut = append(g.LeftOut, g.edge(l))
		if c, ok := spelled[arcs[i]]; ok {
			g.Cycles[c].LeftOut = append(g.Cycles[c].LeftOut, g.edge(l))
		} else if len(g.Cycles) < MaxCycles {
			spelled[arcs[i]] = len(g.Cycles)
			older := func(k int) bool { return age[k] < age[l] }
			g.Cycles = append(g.Cycles, Cycle{g.cycle(l, out, older), []Edge{g.edge(l)}})
		} else {
			g.unspelled++
		}
	}
}

// circular returns the references that lie on a cycle at all: usually none.
func (g *Graph) circular(landed []int) []int {
	arcs := make([]arc, len(landed))
	for i, l := range landed {
		arcs[i] = g.links[l].arc()
	}
	comp := components(len(g.Nodes), arcs)
	var circular []int
	for i, l := range landed {
		if comp[arcs[i].from] == comp[arcs[i].to] {
			circular = append(circular, l)
		}
	}
	return circular
}

// cycle spells out a shortest cycle that a reference closes with admitted ones, beginning and
// ending with its own node.
func (g *Graph) cycle(closing int, out adjacency, admit func(l int) bool) []NodeID {
	l := g.links[closing]
	via := out.reach(g.links, []int{l.to}, head, search{until: l.from, admit: admit})
	var back []NodeID // from the reference's own node to the one it names
	for n := l.from; n != l.to; n = g.links[via[n]].from {
		back = append(back, g.Nodes[n].ID)
	}
	back = append(back, g.Nodes[l.to].ID, g.Nodes[l.from].ID)
	slices.Reverse(back)
	return back
}
