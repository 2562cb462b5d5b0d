package genealogy

import (
	"testing"

	"brenner/internal/artifact"
)

// Hand-edited files have gaps, wrong orders and ids twice.
func TestLookup(t *testing.T) {
	a := artifact.New()
	for _, id := range []artifact.ItemID{"H1", "H2", "H5", "H4", "H3", "H2", "T2", "T1", "A1"} {
		_, s, _, _ := artifact.ParseItemID(string(id))
		a.Add(artifact.NewItem(id, s))
	}
	g := Build([]Session{{ID: "s", Artifact: a}, {ID: "empty", Artifact: artifact.New()}})
	if len(g.Nodes) != 8 {
		t.Errorf("%d nodes, want each id once", len(g.Nodes))
	}
	for i, n := range g.Nodes {
		if at, ok := g.index.node(n.ID); !ok || at != i {
			t.Errorf("%s is at %d, found at %d", n.ID, i, at)
		}
	}
	for _, id := range []NodeID{"s#H6", "s#RT", "s#T3", "s#", "s", "empty#H1", "other#H1", "s#H01"} {
		if at, ok := g.index.node(id); ok {
			t.Errorf("%s found at %d", id, at)
		}
	}
}
