package draw

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"brenner/internal/genealogy"
	"brenner/internal/protocol"
)

// SVG draws a graph: boxes in columns, oldest to the left, arrows from each item to what it
// refers to. Names are text and nothing else, whatever they hold; the picture reads well on
// a light and on a dark background.
func SVG(g *genealogy.Graph) string {
	d := Layout(g)
	if len(d.Boxes) == 0 {
		d.Width, d.Height = 380, 84
	}
	var b strings.Builder
	size := px(d.Width) + " " + px(d.Height)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s" width="%s" height="%s" role="img" aria-labelledby="title `+
		`summary">`+"\n",
		size, px(d.Width), px(d.Height))
	fmt.Fprintf(&b, "<title id=\"title\">Genealogy</title>\n<desc id=\"summary\">%s</desc>\n", xmlText(summary(g)))
	b.WriteString(svgStyle())
	b.WriteString(svgDefs())
	b.WriteString("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n")
	if len(d.Boxes) == 0 {
		fmt.Fprintf(&b, "<text class=\"note\" x=\"24\" y=\"46\">%s</text>\n", strings.TrimSpace(nothing))
	}
	for i := range d.Lines {
		d.Lines[i].draw(&b)
	}
	for i := range d.Boxes {
		d.Boxes[i].draw(&b)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func summary(g *genealogy.Graph) string {
	groups := groups(g)
	items := 0
	for _, group := range groups {
		items += len(group.nodes)
	}
	return fmt.Sprintf("%s of %s and %s between them. Arrows lead from an item to the older one it refers to.",
		protocol.Plural(items, "item"), protocol.Plural(len(groups), "session"), protocol.Plural(len(g.Edges), "reference"))
}

func (box *Box) draw(b *strings.Builder) {
	class := "node"
	switch {
	case box.Missing:
		class = "node unknown"
	case box.Killed:
		class = "node killed"
	}
	fmt.Fprintf(b, `<g class="%s" transform="translate(%s %s)">`, class, px(box.X), px(box.Y))
	fmt.Fprintf(b, "<title>%s</title>", xmlText(box.Title))
	fmt.Fprintf(b, `<rect width="%s" height="%s" rx="7"/>`, px(box.Width), px(box.Height))
	fmt.Fprintf(b, `<g clip-path="url(#inside)"><text class="name" x="10" y="19">%s</text>`, xmlText(box.Name))
	fmt.Fprintf(b, `<text class="session" x="10" y="36">%s</text></g></g>`+"\n", xmlText(box.Session))
}

func (l *Line) draw(b *strings.Builder) {
	class := "line " + l.Relation
	if l.Dangling {
		class += " loose"
	}
	fmt.Fprintf(b, `<g class="%s"><title>%s</title>`, class, xmlText(l.Title))
	fmt.Fprintf(b, `<path d="%s" marker-end="url(#to-%s)"/>`, l.Path, l.Relation)
	fmt.Fprintf(b, `<text x="%s" y="%s">%s</text></g>`+"\n", px(l.LabelX), px(l.LabelY), xmlText(l.Label))
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
