package web

import (
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
)

// pictureView is the graph as it is drawn. Numbers are those of its view box.
type pictureView struct {
	Width, Height string
	Items         int
	Relations     []legendEntry // those that occur, for the legend and the points of arrows
	Boxes         []boxView
	Lines         []strokeView
}

type legendEntry struct{ Name, Words string }

type boxView struct {
	N             int
	Class         string
	Href          string
	Label         string // for those who do not see it
	Title         string
	X, Y          string
	Width, Height string
	Name, Session string
	Older, Newer  string // numbers of the boxes it is joined to, for the keyboard
}

type strokeView struct {
	Class    string
	Relation string
	From, To int
	Title    string
	Label    string
	Path     string
	X, Y     string
	Plain    bool // it has no point: neither end is older
}

// joints are the neighbours of each box, for the keyboard.
func joints(d draw.Drawing) (place map[genealogy.NodeID]int, older, newer [][]string) {
	place = make(map[genealogy.NodeID]int, len(d.Boxes))
	for i, b := range d.Boxes {
		place[b.ID] = i
	}
	older, newer = make([][]string, len(d.Boxes)), make([][]string, len(d.Boxes))
	for _, l := range d.Lines {
		from, to := place[l.From], place[l.To]
		older[from] = append(older[from], strconv.Itoa(to))
		newer[to] = append(newer[to], strconv.Itoa(from))
	}
	return place, older, newer
}

// pictured makes a drawing ready for its template. Of its boxes only what every picture shows is filled in.
func pictured(d draw.Drawing, relations []string) pictureView {
	v := pictureView{Width: length(d.Width), Height: length(d.Height)}
	place, older, newer := joints(d)
	used := map[string]bool{}
	for _, l := range d.Lines {
		used[l.Relation] = true
		s := strokeView{
			Class: "edge", Relation: l.Relation, From: place[l.From], To: place[l.To], Title: l.Title, Label: l.Label, Path: l.Path,
			X: length(l.LabelX), Y: length(l.LabelY),
		}
		if l.Dangling {
			s.Class += " loose"
		}
		v.Lines = append(v.Lines, s)
	}
	for i, b := range d.Boxes {
		box := boxView{
			N: i, Class: "node", Title: b.Title, Label: strings.ReplaceAll(b.Title, "\n", ", "),
			X: length(b.X), Y: length(b.Y), Width: length(b.Width), Height: length(b.Height), Name: b.Name, Session: b.Session,
			Older: strings.Join(older[i], " "), Newer: strings.Join(newer[i], " "),
		}
		switch {
		case b.Missing:
			box.Class = "node missing"
		case b.Killed:
			box.Class = "node killed"
		}
		v.Boxes = append(v.Boxes, box)
	}
	for _, r := range relations {
		if used[r] {
			v.Relations = append(v.Relations, legendEntry{r, strings.ReplaceAll(r, "_", " ")})
		}
	}
	return v
}

func drawn(g *genealogy.Graph, focus string) pictureView {
	d := draw.Layout(g)
	v := pictured(d, append(slices.Clone(artifact.Relations), "other"))
	for i, b := range d.Boxes {
		box := &v.Boxes[i]
		if !b.Missing {
			v.Items++
			box.Href = latestItemURL(b.ID.Session(), b.ID.Item())
		}
		if string(b.ID) == focus || b.ID.Session() == focus {
			box.Class += " centre"
		}
	}
	return v
}

func length(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
