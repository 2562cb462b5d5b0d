package genealogy

// Ancestors returns everything an item goes back to, in the order of Nodes.
func (g *Graph) Ancestors(id NodeID) []NodeID { return g.relatives(id, g.dag, head) }

// Descendants returns everything that goes back to an item, in the order of Nodes.
func (g *Graph) Descendants(id NodeID) []NodeID { return g.relatives(id, g.rdag, tail) }

func (g *Graph) relatives(id NodeID, a adjacency, next func(link) int) []NodeID {
	n, ok := g.index.node(id)
	if !ok {
		return nil
	}
	var found []NodeID
	for m, via := range a.reach(g.links, []int{n}, next, everywhere) {
		if via >= 0 {
			found = append(found, g.Nodes[m].ID)
		}
	}
	return found
}

// findOrigins gives each node the oldest one it goes back to. Nodes are taken in an order in
// which whatever one refers to comes before it.
func (g *Graph) findOrigins() {
	n := len(g.Nodes)
	origin := make([]int, n)
	waiting := make([]int, n) // references not yet followed
	var ready []int
	for i := range n {
		origin[i], waiting[i] = i, len(g.dag.of(i))
		if waiting[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, l := range g.rdag.of(i) {
			from := g.links[l].from
			if g.older(origin[i], origin[from]) {
				origin[from] = origin[i]
			}
			if waiting[from]--; waiting[from] == 0 {
				ready = append(ready, from)
			}
		}
	}
	for i := range g.Nodes {
		g.Nodes[i].Origin = g.Nodes[origin[i]].ID
	}
}

func (g *Graph) older(a, b int) bool {
	c := g.Nodes[a].Written.compare(g.Nodes[b].Written)
	return c < 0 || c == 0 && a < b
}

// Chains returns the sets of items that references join, each with its oldest item, the
// chain's origin. Items without references to or from others form none.
func (g *Graph) Chains() []Chain {
	joined := g.joined()
	members := map[int][]int{}
	var order []int
	for i := range g.Nodes {
		root := joined.find(i)
		if len(members[root]) == 0 {
			order = append(order, root)
		}
		members[root] = append(members[root], i)
	}
	chains := []Chain{}
	for _, root := range order {
		if len(members[root]) < 2 {
			continue
		}
		oldest := members[root][0]
		ids := make([]NodeID, len(members[root]))
		for k, i := range members[root] {
			ids[k] = g.Nodes[i].ID
			if g.older(i, oldest) {
				oldest = i
			}
		}
		chains = append(chains, Chain{g.Nodes[oldest].ID, ids})
	}
	return chains
}

// joined groups nodes that references join, in either direction.
func (g *Graph) joined() sets {
	s := newSets(len(g.Nodes))
	for _, i := range g.kept {
		if l := g.links[i]; l.to >= 0 {
			s.join(l.from, l.to)
		}
	}
	return s
}
