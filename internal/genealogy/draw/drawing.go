package draw

import (
	"fmt"
	"strings"

	"brenner/internal/genealogy"
)

// Drawing is the graph laid out: boxes in columns, oldest to the left, and lines from each item to
// what it refers to. Lengths are pixels. Texts hold no control characters and fit their place,
// but are not escaped for any markup.
type Drawing struct {
	Width, Height float64
	Boxes         []Box
	Lines         []Line
}

// Box is an item, or one that is referred to and not there.
type Box struct {
	ID            genealogy.NodeID
	X, Y          float64 // of its upper left corner
	Width, Height float64
	Name, Session string // shortened to fit
	Title         string // in full, with who wrote it
	Killed        bool
	Missing       bool
}

// Line leads from an item to the older one it refers to.
type Line struct {
	From, To       genealogy.NodeID
	Relation       string // one of the six of PROTOCOL 13, or other
	Label          string // all relations between the two, in words, shortened to fit
	Title          string
	Dangling       bool
	Path           string // as the d of an SVG path
	LabelX, LabelY float64
}

// Layout lays a graph out. Items that no reference joins are left out, but for the one in focus.
func Layout(g *genealogy.Graph) Drawing {
	p := layOut(g)
	d := Drawing{Width: p.width, Height: p.height}
	for _, b := range p.boxes {
		if !b.bend() {
			d.Boxes = append(d.Boxes, itemBox(g, b))
		}
	}
	for _, s := range p.lines {
		d.Lines = append(d.Lines, p.line(g, s))
	}
	return d
}

func itemBox(g *genealogy.Graph, b box) Box {
	out := Box{X: left(b.column), Y: b.y - boxHeight/2, Width: boxWidth, Height: boxHeight}
	var name, session, author string
	if b.node < 0 {
		out.ID, out.Missing = b.ghost, true
		name, session, author = b.ghost.Item(), b.ghost.Session(), "not in this project"
	} else {
		n := g.Nodes[b.node]
		out.ID, out.Killed = n.ID, n.Killed
		name, session, author = strings.TrimSpace(string(n.Item)+" "+n.Name), n.ID.Session(), strings.TrimPrefix(credit(n.Written), " · ")
		if n.Killed {
			author = strings.TrimSuffix("killed; "+author, "; ")
		}
	}
	out.Title = strings.Join(nonEmpty(session+": "+name, author), "\n")
	out.Name, out.Session = shorten(oneLine(name), nameCols), shorten(oneLine(session), nameCols+6)
	return out
}

// line leads from a newer box through its bends to an older one, with the relation beside its
// beginning.
func (p *picture) line(g *genealogy.Graph, s stroke) Line {
	from, to := p.boxes[s.boxes[0]], p.boxes[s.boxes[len(s.boxes)-1]]
	words := make([]string, len(s.relations))
	for i, r := range s.relations {
		words[i] = relationText(r)
	}
	label := strings.Join(words, ", ")
	first := p.boxes[s.boxes[1]]
	return Line{
		From: boxID(g, from), To: boxID(g, to), Relation: relationClass(s.relations[0]),
		Label: shorten(label, 22), Title: p.title(g, from) + " " + label + " " + p.title(g, to), Dangling: s.dangling,
		Path:   p.path(s),
		LabelX: (left(from.column) + left(first.column) + boxWidth) / 2, LabelY: (from.y+first.y)/2 + 4,
	}
}

func boxID(g *genealogy.Graph, b box) genealogy.NodeID {
	if b.node < 0 {
		return b.ghost
	}
	return g.Nodes[b.node].ID
}

func (p *picture) path(s stroke) string {
	var b strings.Builder
	x, y := left(p.boxes[s.boxes[0]].column), p.boxes[s.boxes[0]].y
	fmt.Fprintf(&b, "M%s %s", px(x), px(y))
	for i, k := range s.boxes[1:] {
		next := p.boxes[k]
		nx := left(next.column) + boxWidth
		if i == len(s.boxes)-2 {
			nx += 3 // room for the arrow's point
		}
		mid := (x + nx) / 2
		fmt.Fprintf(&b, " C%s %s %s %s %s %s", px(mid), px(y), px(mid), px(next.y), px(nx), px(next.y))
		x, y = nx, next.y
		if next.bend() {
			x = left(next.column)
			fmt.Fprintf(&b, " H%s", px(x))
		}
	}
	return b.String()
}

func (p *picture) title(g *genealogy.Graph, b box) string { return oneLine(string(boxID(g, b))) }
