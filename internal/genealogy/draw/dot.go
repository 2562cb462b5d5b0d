package draw

import (
	"fmt"
	"strings"

	"brenner/internal/genealogy"
)

// DOT writes a graph for Graphviz: sessions as clusters, time from left to right.
func DOT(g *genealogy.Graph) string {
	var b strings.Builder
	b.WriteString("digraph genealogy {\n  rankdir=RL;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n" +
		"  edge [fontname=\"sans-serif\", fontsize=10];\n")
	for i, group := range groups(g) {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s;\n", i, dotQuote(group.session))
		for _, n := range group.nodes {
			node := g.Nodes[n]
			style := ""
			if node.Killed {
				style = ", style=\"rounded,dashed\", fontcolor=gray40, tooltip=\"killed\""
			}
			label := string(node.Item) + " " + shorten(oneLine(node.Name), nameWidth)
			fmt.Fprintf(&b, "    %s [label=%s%s];\n", dotQuote(string(node.ID)), dotQuote(label), style)
		}
		b.WriteString("  }\n")
	}
	seen := map[genealogy.NodeID]bool{}
	for _, e := range g.Edges {
		if e.Dangling && !seen[e.To] {
			seen[e.To] = true
			fmt.Fprintf(&b, "  %s [style=\"rounded,dotted\", fontcolor=gray40];\n", dotQuote(string(e.To)))
		}
		fmt.Fprintf(&b, "  %s -> %s [label=%s", dotQuote(string(e.From)), dotQuote(string(e.To)), dotQuote(relationText(e.Relation)))
		if e.Dangling {
			b.WriteString(", style=dotted")
		}
		b.WriteString("];\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// dotQuote writes a quoted id. Backslashes are escaped too: Graphviz reads \n and \l in
// labels.
func dotQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(text)) + `"`
}

// group is a session with the nodes of it that are drawn.
type group struct {
	session string
	nodes   []int
}

func groups(g *genealogy.Graph) []group {
	var all []group
	for n, show := range g.Joined() {
		if !show {
			continue
		}
		session := g.Nodes[n].ID.Session()
		if len(all) == 0 || all[len(all)-1].session != session {
			all = append(all, group{session: session})
		}
		last := &all[len(all)-1]
		last.nodes = append(last.nodes, n)
	}
	return all
}
