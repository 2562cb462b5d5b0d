package draw

import (
	"fmt"
	"slices"
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
	Column int    // from the left, in which it stands; in a column nodes keep their order
	Killed bool
}

// Arrow joins two nodes, by their places.
type Arrow struct {
	From, To int
	Relation string
	Label    string
	Title    string
}

// Layout lays a sketch out in its columns. Of several arrows between two nodes the first is drawn.
func (s Sketch) Layout() Drawing {
	columns := make([]int, 0, 3) // how many nodes are in each
	for _, n := range s.Nodes {
		for len(columns) <= n.Column {
			columns = append(columns, 0)
		}
		columns[n.Column]++
	}
	if len(columns) == 0 {
		return Drawing{}
	}
	const step = boxHeight + rowGap
	tall := float64(slices.Max(columns)) * step
	d := Drawing{Width: left(len(columns)) - columnGap + margin, Height: 2*margin + tall - rowGap}
	filled := make([]int, len(columns))
	for _, n := range s.Nodes {
		y := margin + (tall-float64(columns[n.Column])*step)/2 + float64(filled[n.Column])*step
		filled[n.Column]++
		name, note := oneLine(n.Name), oneLine(n.Note)
		d.Boxes = append(d.Boxes, Box{
			ID: n.ID, X: left(n.Column), Y: y, Width: boxWidth, Height: boxHeight, Killed: n.Killed,
			Name: shorten(name, nameCols), Session: shorten(note, nameCols+6), Title: strings.Join(nonEmpty(name, note), "\n"),
		})
	}
	known := map[pair]bool{}
	for _, a := range s.Arrows {
		if !known[pair{a.From, a.To}] {
			known[pair{a.From, a.To}] = true
			d.Lines = append(d.Lines, s.line(d.Boxes[a.From], d.Boxes[a.To], a))
		}
	}
	return d
}

// line runs from one box to the side of another that faces it.
func (s Sketch) line(from, to Box, a Arrow) Line {
	x, end := from.X, to.X+boxWidth
	if from.X < to.X {
		x, end = from.X+boxWidth, to.X
	}
	y, last := from.Y+boxHeight/2, to.Y+boxHeight/2
	bend := (x + end) / 2
	return Line{
		From: s.Nodes[a.From].ID, To: s.Nodes[a.To].ID, Relation: a.Relation, Label: shorten(oneLine(a.Label), 22), Title: oneLine(a.Title),
		Path:   fmt.Sprintf("M%g %gC%g %g %g %g %g %g", x, y, bend, y, bend, last, end, last),
		LabelX: bend, LabelY: (y+last)/2 + 4,
	}
}
