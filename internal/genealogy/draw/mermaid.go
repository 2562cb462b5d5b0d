package draw

import (
	"fmt"
	"strings"

	"brenner/internal/genealogy"
)

// Mermaid writes a graph as a Mermaid flowchart: sessions as subgraphs, time from left to
// right.
func Mermaid(g *genealogy.Graph) string {
	var b strings.Builder
	b.WriteString("flowchart RL\n")
	name := make(map[genealogy.NodeID]string)
	for i, group := range groups(g) {
		fmt.Fprintf(&b, "  subgraph s%d[%s]\n", i, mermaidQuote(group.session))
		for _, n := range group.nodes {
			node := g.Nodes[n]
			name[node.ID] = fmt.Sprintf("n%d", n)
			class := ""
			if node.Killed {
				class = ":::killed"
			}
			label := string(node.Item) + " " + shorten(oneLine(node.Name), nameWidth)
			fmt.Fprintf(&b, "    n%d[%s]%s\n", n, mermaidQuote(label), class)
		}
		b.WriteString("  end\n")
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Dangling {
			arrow = "-.->"
			if name[e.To] == "" {
				name[e.To] = fmt.Sprintf("u%d", len(name))
				fmt.Fprintf(&b, "  %s[%s]:::unknown\n", name[e.To], mermaidQuote(string(e.To)))
			}
		}
		fmt.Fprintf(&b, "  %s %s|%s| %s\n", name[e.From], arrow, mermaidQuote(relationText(e.Relation)), name[e.To])
	}
	b.WriteString("  classDef killed stroke-dasharray:5 4,opacity:0.6\n  classDef unknown stroke-dasharray:2 3\n")
	return b.String()
}

// mermaidQuote writes a quoted text. Mermaid has no escapes but its own entity codes, and it
// passes labels on as HTML.
func mermaidQuote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range oneLine(text) {
		if strings.ContainsRune("\"#&<>`\\;", r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
