package genealogy

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// SVG draws the graph: boxes in columns, oldest to the left, arrows from each item to what it
// refers to. Names are text and nothing else, whatever they hold; the picture reads well on
// a light and on a dark background.
func (g *Graph) SVG() string {
	p := g.draw()
	if len(p.boxes) == 0 {
		p.width, p.height = 380, 84
	}
	var b strings.Builder
	size := px(p.width) + " " + px(p.height)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s" width="%s" height="%s" role="img" aria-labelledby="title summary">`+"\n",
		size, px(p.width), px(p.height))
	fmt.Fprintf(&b, "<title id=\"title\">Genealogy</title>\n<desc id=\"summary\">%s</desc>\n", xmlText(g.summary()))
	b.WriteString(svgStyle())
	b.WriteString(svgDefs())
	b.WriteString("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n")
	if len(p.boxes) == 0 {
		fmt.Fprintf(&b, "<text class=\"note\" x=\"24\" y=\"46\">%s</text>\n", strings.TrimSpace(nothing))
	}
	for _, s := range p.lines {
		p.drawLine(&b, g, s)
	}
	for _, box := range p.boxes {
		if !box.bend() {
			p.drawBox(&b, g, box)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (g *Graph) summary() string {
	groups := g.groups()
	items := 0
	for _, group := range groups {
		items += len(group.nodes)
	}
	return fmt.Sprintf("%d items of %d sessions and %d references between them. Arrows lead from an item to the older one it refers to.",
		items, len(groups), len(g.Edges))
}

func (p *picture) drawBox(b *strings.Builder, g *Graph, box box) {
	class := "node"
	var name, session, credit string
	if box.node < 0 {
		class, name, session, credit = "node unknown", box.ghost.Item(), box.ghost.Session(), "not in this project"
	} else {
		n := g.Nodes[box.node]
		name, session, credit = strings.TrimSpace(string(n.Item)+" "+n.Name), n.ID.Session(), strings.TrimPrefix(n.Written.credit(), " · ")
		if n.Killed {
			class = "node killed"
			credit = strings.TrimSuffix("killed; "+credit, "; ")
		}
	}
	fmt.Fprintf(b, `<g class="%s" transform="translate(%s %s)">`, class, px(left(box.column)), px(box.y-boxHeight/2))
	fmt.Fprintf(b, "<title>%s</title>", xmlText(strings.Join(nonEmpty(session+": "+name, credit), "\n")))
	fmt.Fprintf(b, `<rect width="%s" height="%s" rx="7"/>`, px(boxWidth), px(boxHeight))
	fmt.Fprintf(b, `<g clip-path="url(#inside)"><text class="name" x="10" y="19">%s</text>`, xmlText(shorten(oneLine(name), nameCols)))
	fmt.Fprintf(b, `<text class="session" x="10" y="36">%s</text></g></g>`+"\n", xmlText(shorten(oneLine(session), nameCols+6)))
}

// drawLine draws a line from a newer box through its bends to an older one, with the
// relation beside its beginning.
func (p *picture) drawLine(b *strings.Builder, g *Graph, s stroke) {
	relation := relationClass(s.relations[0])
	class := "line " + relation
	if s.dangling {
		class += " loose"
	}
	words := make([]string, len(s.relations))
	for i, r := range s.relations {
		words[i] = relationText(r)
	}
	label := strings.Join(words, ", ")
	from, to := p.boxes[s.boxes[0]], p.boxes[s.boxes[len(s.boxes)-1]]
	fmt.Fprintf(b, `<g class="%s"><title>%s</title>`, class, xmlText(p.title(g, from)+" "+label+" "+p.title(g, to)))
	x, y := left(from.column), from.y
	fmt.Fprintf(b, `<path d="M%s %s`, px(x), px(y))
	for i, k := range s.boxes[1:] {
		next := p.boxes[k]
		nx := left(next.column) + boxWidth
		if i == len(s.boxes)-2 {
			nx += 3 // room for the arrow's point
		}
		mid := (x + nx) / 2
		fmt.Fprintf(b, " C%s %s %s %s %s %s", px(mid), px(y), px(mid), px(next.y), px(nx), px(next.y))
		x, y = nx, next.y
		if next.bend() {
			x = left(next.column)
			fmt.Fprintf(b, " H%s", px(x))
		}
	}
	fmt.Fprintf(b, `" marker-end="url(#to-%s)"/>`, relation)
	first := p.boxes[s.boxes[1]]
	lx, ly := (left(from.column)+left(first.column)+boxWidth)/2, (from.y+first.y)/2+4
	fmt.Fprintf(b, `<text x="%s" y="%s">%s</text></g>`+"\n", px(lx), px(ly), xmlText(shorten(label, 22)))
}

func (p *picture) title(g *Graph, b box) string {
	if b.node < 0 {
		return oneLine(string(b.ghost))
	}
	return oneLine(string(g.Nodes[b.node].ID))
}

func nonEmpty(texts ...string) []string {
	var kept []string
	for _, t := range texts {
		if t = oneLine(t); t != "" {
			kept = append(kept, t)
		}
	}
	return kept
}

// xmlText escapes a text whose characters XML allows.
func xmlText(text string) string { return html.EscapeString(text) }

// px writes a length with at most one decimal.
func px(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
