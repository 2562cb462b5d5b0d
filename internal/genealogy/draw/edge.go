package draw

import "brenner/internal/genealogy"

// edge is a reference with the places of its ends in the graph's nodes; to is -1 if it dangles.
type edge struct {
	genealogy.Edge
	from, to int
}

func numbered(g *genealogy.Graph) []edge {
	edges := make([]edge, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = edge{Edge: e, to: -1}
		edges[i].from, _ = g.Place(e.From)
		if !e.Dangling {
			edges[i].to, _ = g.Place(e.To)
		}
	}
	return edges
}
