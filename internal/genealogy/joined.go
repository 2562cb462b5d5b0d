package genealogy

// Joined tells of each node whether a picture shows it: a reference joins it to something, or it is in focus.
func (g *Graph) Joined() []bool {
	show := make([]bool, len(g.Nodes))
	for _, i := range g.kept {
		l := g.links[i]
		show[l.from] = true
		if l.to >= 0 {
			show[l.to] = true
		}
	}
	if n, ok := g.index.node(g.focus); ok {
		show[n] = true
	}
	return show
}

// Place returns the place of a node in Nodes.
func (g *Graph) Place(id NodeID) (int, bool) { return g.index.node(id) }
