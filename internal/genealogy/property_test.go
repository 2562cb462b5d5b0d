package genealogy_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/genealogy"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// ref is a drawn reference from one numbered item to another.
type ref struct{ from, to, age int }

const perSession = 3

func nodeID(n int) genealogy.NodeID {
	return genealogy.NewNodeID(fmt.Sprintf("RS-20260101-s%02d", n/perSession), fmt.Sprintf("T%d", n%perSession+1))
}

// project makes sessions of n items with the given references, one message a reference.
func project(n int, refs []ref) []genealogy.Session {
	var sessions []genealogy.Session
	of := make([][]ref, n)
	for _, r := range refs {
		of[r.from] = append(of[r.from], r)
	}
	for i := range n {
		id := nodeID(i)
		if i%perSession == 0 {
			sessions = append(sessions, genealogy.Session{ID: id.Session(), Artifact: artifact.New()})
		}
		it := artifact.NewItem(artifact.ItemID(id.Item()), artifact.DiscriminativeTests)
		it.Set(artifact.Name, artifact.Text(fmt.Sprint("item ", i)))
		it.SetSource(artifact.Name, &artifact.Source{MessageID: int64(i + 1), Agent: "BlueLake", At: time.Unix(int64(i), 0)})
		var list artifact.References
		for _, r := range of[i] {
			to := nodeID(r.to)
			ref := artifact.Reference{Session: to.Session(), Item: to.Item(), Relation: "extends"}
			list = append(list, ref)
			it.SetSource(ref.Path(), &artifact.Source{MessageID: int64(1000 + r.age), At: time.Unix(int64(1000+r.age), 0)})
		}
		if list != nil {
			it.Set(artifact.ReferencesField, list)
		}
		sessions[len(sessions)-1].Artifact.Add(it)
	}
	return sessions
}

func drawRefs(t *rapid.T, n int) []ref {
	pairs := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) [2]int {
		return [2]int{rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")}
	}), 0, 3*n, rapid.ID).Draw(t, "pairs")
	refs := make([]ref, len(pairs))
	for i, p := range pairs {
		refs[i] = ref{p[0], p[1], i}
	}
	return refs
}

// reaches tells whether references lead from one item to another.
func reaches(refs []ref, from, to int) bool {
	seen, todo := map[int]bool{}, []int{from}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		if n == to {
			return true
		}
		for _, r := range refs {
			if r.from == n && !seen[r.to] {
				seen[r.to] = true
				todo = append(todo, r.to)
			}
		}
	}
	return false
}

// PROTOCOL 13: of every cycle the youngest reference is left out, and nothing else. By
// definition a reference is the youngest of a cycle if older ones lead from its target back
// to its item.
func TestYoungestOfEachCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		refs := drawRefs(t, n)
		g := genealogy.Build(project(n, refs))
		var want, got []string
		for i, r := range refs {
			if reaches(refs[:i], r.to, r.from) {
				want = append(want, string(nodeID(r.from)+" "+nodeID(r.to)))
			}
		}
		for _, e := range g.LeftOut {
			got = append(got, string(e.From+" "+e.To))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("left out (-want +got):\n%s", d)
		}
		if len(g.Edges)+len(g.LeftOut) != len(refs) {
			t.Fatalf("%d references, %d in the graph, %d left out", len(refs), len(g.Edges), len(g.LeftOut))
		}
		for _, c := range g.Cycles {
			checkCycle(t, refs, c)
		}
	})
}

// checkCycle walks a reported cycle along references as written.
func checkCycle(t *rapid.T, refs []ref, c genealogy.Cycle) {
	if c.Path[0] != c.Path[len(c.Path)-1] || c.Path[0] != c.LeftOut[0].From || c.Path[1] != c.LeftOut[0].To {
		t.Fatalf("%v is not the cycle of %v", c.Path, c.LeftOut)
	}
	youngest := -1
	for i := range c.Path[1:] {
		k := slices.IndexFunc(refs, func(r ref) bool { return nodeID(r.from) == c.Path[i] && nodeID(r.to) == c.Path[i+1] })
		if k < 0 {
			t.Fatalf("%v follows no references", c.Path)
		}
		youngest = max(youngest, k)
	}
	if nodeID(refs[youngest].from) != c.LeftOut[0].From || nodeID(refs[youngest].to) != c.LeftOut[0].To {
		t.Fatalf("%v: the youngest reference is not %v", c.Path, c.LeftOut)
	}
}

// The door says in advance what the graph will say afterwards.
func TestCheckForesees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		refs := drawRefs(t, n)
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n+1).Draw(t, "to")
		g := genealogy.Build(project(n, refs))
		target := nodeID(to)
		findings := g.Check(nodeID(from).Session(), []genealogy.Addition{{
			Item:       artifact.ItemID(nodeID(from).Item()),
			References: artifact.References{{Session: target.Session(), Item: target.Item(), Relation: "refines"}},
		}})
		var want []string
		switch {
		case to >= n:
			want = []string{"UNKNOWN_REFERENCE"}
		case reaches(refs, to, from):
			want = []string{"CIRCULAR_REFERENCE"}
		}
		var got []string
		for _, f := range findings {
			got = append(got, string(f.Code))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s → %s (-want +got):\n%s", nodeID(from), target, d)
		}
	})
}

// Origins, ancestors and descendants against their definitions.
func TestLineage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		refs := drawRefs(t, n)
		g := genealogy.Build(project(n, refs))
		var kept []ref
		for _, r := range refs {
			if slices.ContainsFunc(g.Edges, func(e genealogy.Edge) bool { return e.From == nodeID(r.from) && e.To == nodeID(r.to) }) {
				kept = append(kept, r)
			}
		}
		for i := range n {
			var up, down []genealogy.NodeID
			oldest := i
			for k := range n {
				if k != i && reaches(kept, i, k) {
					up = append(up, nodeID(k))
					oldest = min(oldest, k)
				}
				if k != i && reaches(kept, k, i) {
					down = append(down, nodeID(k))
				}
			}
			node, _ := g.Node(nodeID(i))
			if d := cmp.Diff(up, g.Ancestors(node.ID)) + cmp.Diff(down, g.Descendants(node.ID)); d != "" {
				t.Fatalf("%s:\n%s", node.ID, d)
			}
			if node.Origin != nodeID(oldest) {
				t.Fatalf("%s began with %s, want %s", node.ID, node.Origin, nodeID(oldest))
			}
		}
	})
}
