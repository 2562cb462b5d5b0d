package draw

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/genealogy"
)

const (
	// maxIndent is how deep a tree is indented; a longer chain goes on at the left margin, so
	// that the text grows with the graph and not with its square.
	maxIndent = 24
	nameWidth = 60
	nothing   = "No item refers to another yet.\n"
)

// Tree writes a graph as text: what began a chain is at the margin, what came of it
// below. An item that goes back to several is written in full once.
func Tree(g *genealogy.Graph) string {
	t := newTreeWriter(g)
	show := g.Joined()
	for n := range g.Nodes {
		if show[n] && t.older[n] == 0 {
			t.root(n, "")
		}
	}
	for _, c := range g.Cycles {
		fmt.Fprintf(&t.b, "⟳ cycle: %s\n", oneLine(c.String()))
	}
	if t.b.Len() == 0 {
		return nothing
	}
	return t.b.String()
}

type treeWriter struct {
	g         *genealogy.Graph
	edges     []edge
	older     []int   // how many references of each node lead to another
	newer     [][]int // edges to each node
	loose     [][]int // edges of each node that dangle
	b         strings.Builder
	shown     []bool
	continued []int
}

func newTreeWriter(g *genealogy.Graph) *treeWriter {
	n := len(g.Nodes)
	t := &treeWriter{
		g: g, edges: numbered(g), shown: make([]bool, n),
		older: make([]int, n), newer: make([][]int, n), loose: make([][]int, n),
	}
	for i, e := range t.edges {
		if e.Dangling {
			t.loose[e.from] = append(t.loose[e.from], i)
			continue
		}
		t.older[e.from]++
		t.newer[e.to] = append(t.newer[e.to], i)
	}
	return t
}

// branch is a line still to be written.
type branch struct {
	node   int
	links  []int // how it is joined to the node above; none at the margin
	prefix string
	last   bool
	depth  int
}

func (t *treeWriter) root(n int, note string) {
	t.grow(branch{node: n}, note)
	for len(t.continued) > 0 {
		next := t.continued[0]
		t.continued = t.continued[1:]
		t.grow(branch{node: next}, " (continued)")
	}
}

// grow writes a node and everything below it, without recursion.
func (t *treeWriter) grow(top branch, note string) {
	stack := []branch{top}
	for len(stack) > 0 {
		br := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		inner := t.line(br, note)
		note = ""
		children := t.children(br)
		for i, links := range children {
			stack = append(stack, branch{t.edges[links[0]].from, links, inner, i == 0, br.depth + 1})
		}
	}
}

// line writes a node's line and returns the prefix of what is below it.
func (t *treeWriter) line(br branch, note string) string {
	n := t.g.Nodes[br.node]
	inner := br.prefix
	if len(br.links) > 0 {
		stem, below := "├─ ", "│  "
		if br.last {
			stem, below = "└─ ", "   "
		}
		words := make([]string, len(br.links))
		for i, l := range br.links {
			words[i] = Inverse(t.edges[l].Relation)
		}
		t.b.WriteString(br.prefix + stem + strings.Join(words, ", ") + " ")
		inner += below
	}
	t.b.WriteString(oneLine(string(n.ID)))
	if name := shorten(oneLine(n.Name), nameWidth); name != "" {
		t.b.WriteString(" " + name)
	}
	if n.Killed {
		t.b.WriteString(" [killed]")
	}
	switch {
	case t.shown[br.node] && note == "":
		t.b.WriteString(" (see above)\n")
		return inner
	case br.depth == maxIndent && len(t.newer[br.node]) > 0:
		note = " (continued below)"
	}
	t.b.WriteString(note + credit(n.Written) + "\n")
	if !t.shown[br.node] {
		for _, i := range t.loose[br.node] {
			e := t.edges[i]
			fmt.Fprintf(&t.b, "%s⇢ %s %s (unknown)\n", inner, relationText(e.Relation), oneLine(string(e.To)))
		}
	}
	return inner
}

// children returns what is below a node, by the links that join it, last one first.
func (t *treeWriter) children(br branch) [][]int {
	again := t.shown[br.node]
	t.shown[br.node] = true
	below := t.newer[br.node]
	switch {
	case again && len(br.links) > 0:
		return nil
	case br.depth == maxIndent:
		if len(below) > 0 {
			t.continued = append(t.continued, br.node)
		}
		return nil
	}
	var children [][]int
	for i, l := range below {
		if i > 0 && t.edges[below[i-1]].from == t.edges[l].from {
			last := len(children) - 1
			children[last] = append(children[last], l)
		} else {
			children = append(children, []int{l})
		}
	}
	slices.Reverse(children)
	return children
}

func credit(w genealogy.Written) string {
	if w.Agent == "" {
		return ""
	}
	return fmt.Sprintf(" · %s, message %d", oneLine(w.Agent), w.MessageID)
}
