package genealogy

import (
	"cmp"
	"slices"
)

// Excerpt returns a part of the graph that a person can take in: at most so many joined items, those
// nearest to the ones given along references in either direction. Where none is given it
// takes chains, the largest first, each from its origin on. A graph that is small enough comes
// back as it is; references that leave the part, or lead nowhere beyond the limit, are left out.
func (g *Graph) Excerpt(near []NodeID, most int) *Graph {
	var joined []int
	for n, show := range g.Joined() {
		if show {
			joined = append(joined, n)
		}
	}
	if len(joined) <= most && g.looseEdges() <= most {
		return g
	}
	start := g.numbers(near)
	if len(start) == 0 {
		start = append(g.numbers(g.origins()), joined...)
	}
	taken := g.nearest(start, most)
	p := g.part(func(id NodeID) bool {
		n, ok := g.index.node(id)
		return ok && taken[n]
	})
	p.focus = g.focus
	p.cutLoose(most)
	return p
}

func (g *Graph) looseEdges() int {
	n := 0
	for _, i := range g.kept {
		if g.links[i].to < 0 {
			n++
		}
	}
	return n
}

func (g *Graph) numbers(ids []NodeID) []int {
	var list []int
	for _, id := range ids {
		if n, ok := g.index.node(id); ok {
			list = append(list, n)
		}
	}
	return list
}

// origins lists where chains began, those of the largest first.
func (g *Graph) origins() []NodeID {
	chains := g.Chains()
	slices.SortStableFunc(chains, func(a, b Chain) int { return cmp.Compare(len(b.Nodes), len(a.Nodes)) })
	ids := make([]NodeID, len(chains))
	for i, c := range chains {
		ids[i] = c.Origin
	}
	return ids
}

// nearest takes nodes breadth first, one start after the other.
func (g *Graph) nearest(start []int, most int) []bool {
	taken := make([]bool, len(g.Nodes))
	count := 0
	take := func(queue []int, n int) []int {
		if taken[n] || count == most {
			return queue
		}
		taken[n] = true
		count++
		return append(queue, n)
	}
	for _, s := range start {
		queue := take(nil, s)
		for ; len(queue) > 0; queue = queue[1:] {
			for _, l := range g.dag.of(queue[0]) {
				queue = take(queue, g.links[l].to)
			}
			for _, l := range g.rdag.of(queue[0]) {
				queue = take(queue, g.links[l].from)
			}
		}
	}
	return taken
}

// cutLoose keeps so many references that lead nowhere.
func (g *Graph) cutLoose(most int) {
	left := most
	g.links = slices.DeleteFunc(g.links, func(l link) bool {
		if l.to < 0 {
			left--
		}
		return l.to < 0 && left < 0
	})
	g.arrange()
}
