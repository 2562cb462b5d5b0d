package genealogy_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/artifact"
	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
	"brenner/internal/protocol"
)

func ids(g *genealogy.Graph) []string {
	var list []string
	for _, n := range g.Nodes {
		list = append(list, string(n.ID))
	}
	return list
}

func TestFocus(t *testing.T) {
	g := genealogy.Build(load(t, "family.txtar"))
	tests := []struct {
		name string
		want []string
	}{
		{"RS-20260105-membranes#T1", []string{"RS-20251228-vesicles#T1", "RS-20260105-membranes#T1", "bead-12.fix#T1"}},
		{"RS-20260105-membranes#H2", []string{"RS-20260105-membranes#H2"}},
		{"RS-20260110-coats", []string{
			"RS-20251228-vesicles#RT", "RS-20251228-vesicles#H1", "RS-20251228-vesicles#H2", "RS-20251228-vesicles#T1",
			"RS-20260105-membranes#H1", "RS-20260110-coats#H1", "RS-20260110-coats#C1",
		}},
	}
	for _, tt := range tests {
		part, err := g.Focus(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, ids(part)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
		for _, e := range part.Edges {
			_, from := part.Node(e.From)
			if _, to := part.Node(e.To); !from || !to && !e.Dangling {
				t.Errorf("%s: %v leaves the part", tt.name, e)
			}
		}
	}
	alone, _ := g.Focus("RS-20260105-membranes#H2")
	if want := "RS-20260105-membranes#H2 Nothing refers to this one · RedSky, message 22\n"; draw.Tree(alone) != want {
		t.Errorf("an item alone: %q", draw.Tree(alone))
	}
	for _, name := range []string{"RS-20991231-nowhere", "RS-20260105-membranes#H9", ""} {
		if _, err := g.Focus(name); !errors.Is(err, &protocol.Error{Code: protocol.NotFound}) {
			t.Errorf("Focus(%q): %v", name, err)
		}
	}
}

func codes(findings []protocol.Finding) []string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Code)+" "+f.Item+" "+f.Path)
	}
	return list
}

// A cycle concerns every session it passes through, not only that of its youngest reference.
func TestFindingsOf(t *testing.T) {
	g := genealogy.Build(load(t, "cycle.txtar"))
	want := []string{"CIRCULAR_REFERENCE H1 references"}
	if d := cmp.Diff(want, codes(g.FindingsOf("RS-20260103-cc"))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, f := range g.FindingsOf("RS-20260103-cc") {
		if !strings.Contains(f.Message, "RS-20260102-bb#H1 → RS-20260101-aa#H1 → RS-20260103-cc#H1 → RS-20260102-bb#H1") {
			t.Errorf("the path is missing: %s", f.Message)
		}
	}
	family := genealogy.Build(load(t, "family.txtar"))
	want = []string{"UNKNOWN_REFERENCE T1 references"}
	if d := cmp.Diff(want, codes(family.FindingsOf("bead-12.fix"))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := family.FindingsOf("RS-20251228-vesicles"); len(got) != 0 {
		t.Errorf("nothing is wrong there: %v", got)
	}
}

func refs(list ...[3]string) artifact.References {
	var r artifact.References
	for _, x := range list {
		r = append(r, artifact.Reference{Session: x[0], Item: x[1], Relation: x[2]})
	}
	return r
}

// References of one message count together, and an item that does not exist yet may already
// be referred to.
func TestCheckTogether(t *testing.T) {
	g := genealogy.Build(load(t, "family.txtar"))
	session := "RS-20260105-membranes"
	got := g.Check(session, []genealogy.Addition{
		{Item: "X9", References: refs([3]string{"bead-12.fix", "T1", "informed_by"})},
		{Item: "H3", References: refs([3]string{session, "H4", "extends"}, [3]string{"RS-20251228-vesicles", "H1", "refutes"})},
		{Item: "H4", References: refs([3]string{session, "H3", "refines"}, [3]string{"RS-20991231-no", "H1", "refines"})},
		{References: refs([3]string{session, "H1", "refines"})},
	})
	want := []string{
		"CIRCULAR_REFERENCE X9 references[0]", // bead-12.fix#T1 refers to X9 already
		"CIRCULAR_REFERENCE H3 references[0]",
		"CIRCULAR_REFERENCE H4 references[0]",
		"UNKNOWN_REFERENCE H4 references[1]",
	}
	if d := cmp.Diff(want, codes(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !strings.Contains(got[0].Message, "RS-20260105-membranes#X9 → bead-12.fix#T1 → RS-20260105-membranes#X9") {
		t.Errorf("the path is missing: %s", got[0].Message)
	}
	if _, exists := g.Node("RS-20260105-membranes#X9"); exists {
		t.Error("checking changed the graph")
	}
}

func TestWith(t *testing.T) {
	g := genealogy.Build(load(t, "family.txtar"))
	a := artifact.New()
	it := artifact.NewItem("A7", artifact.AssumptionLedger)
	a.Add(it)
	more := g.With(genealogy.Session{ID: "RS-20251101-unknown", Artifact: a})
	for _, e := range more.Edges {
		if e.To == "RS-20251101-unknown#A7" && e.Dangling {
			t.Error("the reference still dangles after its item appeared")
		}
	}
	if fewer := g.With(genealogy.Session{ID: "bead-12.fix", Artifact: artifact.New()}); len(fewer.Edges) != len(g.Edges)-2 {
		t.Errorf("%d references, want those of the replaced session gone from %d", len(fewer.Edges), len(g.Edges))
	}
}

// Beyond MaxCycles the references are still left out, and counted.
func TestManyCycles(t *testing.T) {
	n := 3 * genealogy.MaxCycles
	var list []ref
	for i := range n {
		list = append(list, ref{i, (i + 1) % n, i})
	}
	for i := range n {
		list = append(list, ref{(i + 1) % n, i, n + i})
	}
	g := genealogy.Build(project(n, list))
	if len(g.LeftOut) != n+1 || len(g.Cycles) != genealogy.MaxCycles {
		t.Errorf("%d left out, %d cycles", len(g.LeftOut), len(g.Cycles))
	}
	last := g.Findings()[genealogy.MaxCycles]
	if !strings.Contains(last.Message, "401 references more") {
		t.Errorf("the rest is not counted: %s", last.Message)
	}
}

// A chain of a hundred thousand items needs no stack of that depth, and its tree no line of
// that length.
func TestLongChain(t *testing.T) {
	const n = 100_000
	list := make([]ref, 0, n)
	for i := 1; i < n; i++ {
		list = append(list, ref{i, i - 1, i})
	}
	g := genealogy.Build(project(n, list))
	if got := len(g.Ancestors(nodeID(n - 1))); got != n-1 {
		t.Errorf("%d ancestors", got)
	}
	if node, _ := g.Node(nodeID(n - 1)); node.Origin != nodeID(0) {
		t.Errorf("the chain began with %s", node.Origin)
	}
	tree := draw.Tree(g)
	if lines := strings.Count(tree, "\n"); lines < n || lines > 2*n || len(tree) > 300*n {
		t.Errorf("a tree of %d lines, %d bytes", lines, len(tree))
	}
}
