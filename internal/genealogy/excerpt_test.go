package genealogy_test

import (
	"fmt"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
)

// chain is a session whose items each refine the one before.
func chain(id string, n int) genealogy.Session {
	a := artifact.New()
	for i := 1; i <= n; i++ {
		it := artifact.NewItem(artifact.NewItemID(artifact.AssumptionLedger, i), artifact.AssumptionLedger)
		it.Set(artifact.Name, artifact.Text(fmt.Sprint("link ", i)))
		if i > 1 {
			it.Set(artifact.ReferencesField, artifact.References{{Session: id, Item: fmt.Sprint("A", i-1), Relation: "refines"}})
		}
		a.Add(it)
	}
	return genealogy.Session{ID: id, Artifact: a}
}

func TestExcerpt(t *testing.T) {
	g := genealogy.Build([]genealogy.Session{chain("RS-20260101-long", 500), chain("RS-20260102-short", 5)})
	if g.Excerpt(nil, 600) != g {
		t.Error("a small graph is cut")
	}
	near := g.Excerpt([]genealogy.NodeID{"RS-20260101-long#A250"}, 21)
	if len(near.Nodes) != 21 || len(near.Edges) != 20 {
		t.Errorf("%d nodes and %d edges, want 21 and 20", len(near.Nodes), len(near.Edges))
	}
	for _, id := range []genealogy.NodeID{"RS-20260101-long#A240", "RS-20260101-long#A260"} {
		if _, ok := near.Node(id); !ok {
			t.Errorf("%s is near and left out", id)
		}
	}
	largest := g.Excerpt(nil, 100)
	if _, ok := largest.Node("RS-20260101-long#A1"); !ok || len(largest.Nodes) != 100 {
		t.Errorf("without a place to begin: %d nodes", len(largest.Nodes))
	}
	if d := draw.Layout(largest); len(d.Boxes) != 100 || len(d.Lines) != 99 {
		t.Errorf("%d boxes and %d lines, want 100 and 99", len(d.Boxes), len(d.Lines))
	}
}

// References that lead nowhere make boxes too: they are counted.
func TestExcerptOfLooseEnds(t *testing.T) {
	a := artifact.New()
	it := artifact.NewItem("H1", artifact.HypothesisSlate)
	var refs artifact.References
	for i := range 300 {
		refs = append(refs, artifact.Reference{Session: "RS-20250101-gone", Item: fmt.Sprint("H", i+1), Relation: "extends"})
	}
	it.Set(artifact.ReferencesField, refs)
	a.Add(it)
	g := genealogy.Build([]genealogy.Session{{ID: "RS-20260101-loose", Artifact: a}}).Excerpt(nil, 40)
	missing := 0
	for _, b := range draw.Layout(g).Boxes {
		if b.Missing {
			missing++
		}
	}
	if missing != 40 || len(g.Edges) != 40 {
		t.Errorf("%d loose ends and %d edges, want 40 of each", missing, len(g.Edges))
	}
}
