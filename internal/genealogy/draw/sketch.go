package draw

import (
	"strings"

	"brenner/internal/genealogy"
)

// Sketch is a graph of another kind that is drawn like a genealogy: what an arrow leads to is to the left of
// where it comes from. Arrows form no circle.
type Sketch struct {
	Nodes  []SketchNode
	Arrows []Arrow
}

// SketchNode is a box.
type SketchNode struct {
	ID     genealogy.NodeID
	Name   string
	Note   string // below the name
	Killed bool
}

// Arrow joins two nodes, by their places.
type Arrow struct {
	From, To int
	Relation string
	Label    string
	Title    string
}

// Layout lays a sketch out. Nodes that no arrow joins are left out, and of several arrows between two nodes the first is drawn.
func (s Sketch) Layout() Drawing {
	p := &picture{width: left(1) - columnGap + margin, height: margin}
	place := make([]int, len(s.Nodes))
	for i := range place {
		place[i] = -1
	}
	boxOf := func(node int) int {
		if place[node] < 0 {
			place[node] = len(p.boxes)
			p.boxes = append(p.boxes, box{node: node})
		}
		return place[node]
	}
	var drawn []Arrow
	known := map[pair]bool{}
	for _, a := range s.Arrows {
		if known[pair{a.From, a.To}] {
			continue
		}
		known[pair{a.From, a.To}] = true
		from := boxOf(a.From)
		p.lines = append(p.lines, stroke{boxes: []int{from, boxOf(a.To)}, relations: []string{a.Relation}})
		drawn = append(drawn, a)
	}
	for _, part := range p.group() {
		p.layOut(part)
	}
	p.height += margin - chainGap
	return s.drawing(p, drawn)
}

func (s Sketch) drawing(p *picture, arrows []Arrow) Drawing {
	d := Drawing{Width: p.width, Height: p.height}
	for _, b := range p.boxes {
		if b.bend() {
			continue
		}
		n := s.Nodes[b.node]
		name, note := oneLine(n.Name), oneLine(n.Note)
		d.Boxes = append(d.Boxes, Box{
			ID: n.ID, X: left(b.column), Y: b.y - boxHeight/2, Width: boxWidth, Height: boxHeight, Killed: n.Killed,
			Name: shorten(name, nameCols), Session: shorten(note, nameCols+6), Title: strings.Join(nonEmpty(name, note), "\n"),
		})
	}
	for i, line := range p.lines {
		a, from, first := arrows[i], p.boxes[line.boxes[0]], p.boxes[line.boxes[1]]
		d.Lines = append(d.Lines, Line{
			From: s.Nodes[a.From].ID, To: s.Nodes[a.To].ID, Relation: a.Relation, Label: shorten(oneLine(a.Label), 22),
			Title: oneLine(a.Title),
			Path:  p.path(line), LabelX: (left(from.column) + left(first.column) + boxWidth) / 2, LabelY: (from.y+first.y)/2 + 4,
		})
	}
	return d
}
