package draw_test

import (
	"testing"

	"brenner/internal/genealogy/draw"
)

// TestSketch: nodes stand in their columns and keep their order, of two arrows between two nodes the first is drawn, and texts hold
// nothing that turns them.
func TestSketch(t *testing.T) {
	s := draw.Sketch{
		Nodes: []draw.SketchNode{{ID: "H1", Name: "one\u202E", Note: "40 %", Column: 1}, {ID: "T1", Name: "test"},
			{ID: "C1", Name: "attack", Killed: true, Column: 2}, {ID: "H2", Name: "alone", Column: 1}},
		Arrows: []draw.Arrow{
			{From: 0, To: 1, Relation: "agrees", Label: "A"}, {From: 2, To: 0, Relation: "attacks"}, {From: 2, To: 0, Relation: "answered"},
		},
	}
	d := s.Layout()
	if len(d.Boxes) != 4 || len(d.Lines) != 2 {
		t.Fatalf("%d boxes, %d lines", len(d.Boxes), len(d.Lines))
	}
	at := map[string]draw.Box{}
	for _, b := range d.Boxes {
		at[string(b.ID)] = b
		if b.X < 0 || b.Y < 0 || b.X+b.Width > d.Width || b.Y+b.Height > d.Height {
			t.Errorf("%s leaves the picture", b.ID)
		}
	}
	if !(at["T1"].X < at["H1"].X && at["H1"].X < at["C1"].X) {
		t.Errorf("columns: %v", at)
	}
	if at["H1"].Y >= at["H2"].Y {
		t.Error("the order of a column is lost")
	}
	if at["H1"].Name != "one" || !at["C1"].Killed || d.Lines[1].Relation != "attacks" {
		t.Errorf("%+v, %+v", at["H1"], d.Lines[1])
	}
}
