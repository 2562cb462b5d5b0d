package web

import (
	"net/http"
	"slices"

	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
	"brenner/internal/science"
	"brenner/internal/study"
)

// argumentPage is what speaks for and against the explanations of a session, as a picture and as a table.
type argumentPage struct {
	Thread   string
	Question string
	Picture  pictureView
	Rows     []argumentRow
	All      bool // every test is shown
	Left     int  // tests that are not
	LeftOut  int  // lines of open tests that are left out, so that the others can be followed
}

// argumentRow is a hypothesis, or an assumption, with all that bears on it.
type argumentRow struct {
	study.Point
	Groups []argumentGroup
}

// argumentGroup is what bears on it in one way.
type argumentGroup struct {
	Relation study.Relation
	Words    string
	Points   []study.Point
}

// The number of tests on the map: few enough to follow their lines, or as many as a picture holds.
const (
	fewTests  = 12
	manyTests = 100
)

// followed is how many lines can be told from one another; of more, those of open tests are left to the table.
const followed = 24

// columns are where the kinds of points stand, from the left.
var columns = map[study.PointKind]int{study.PointTest: 0, study.PointAttack: 2, study.PointAnomaly: 2, study.PointHypothesis: 1,
	study.PointAssumption: 1, study.PointQuestion: 1}

// challenges are the relations that keep their colour in a crowd.
var challenges = []study.Relation{study.Attacks, study.Answered, study.Withdrawn, study.Conflicts}

// relationWords say each relation as what bears on a hypothesis does it, in the order of the table.
var relationWords = []struct {
	relation study.Relation
	words    string
}{
	{study.Attacks, "attacked, open"}, {study.Answered, "attacked, answered"}, {study.Withdrawn, "attacked, withdrawn"},
	{study.Conflicts, "in conflict with"}, {study.Contradicts, "contradicted by"},
	{study.Agrees, "found as expected in"}, {study.Afterwards, "predicted afterwards in"}, {study.Discriminates, "told apart by"},
}

func (w *Web) argument(r *http.Request) (view, error) {
	thread := r.PathValue("thread")
	of, err := w.deps.Sessions.Session(r.Context(), thread)
	if err != nil {
		return view{}, err
	}
	known, err := checksOf(of)
	if err != nil {
		return view{}, err
	}
	src := sourceOfStudy(of, known, w.readerOf(of.View, onTimeline))
	p := argumentPage{Thread: thread, Question: short(maxHeadline, of.View.Question), All: r.URL.Query().Has("all")}
	most := fewTests
	if p.All {
		most = manyTests
	}
	var frame []study.Attack
	for _, c := range of.View.Queue() {
		if c.OnQuestion() {
			frame = append(frame, study.Attack{MessageID: c.MessageID, From: c.From, Title: c.Title, State: science.AttackState(c.State)})
		}
	}
	a := study.NewArgument(study.New(src), src, frame, most)
	p.Left = a.Left
	p.draw(a)
	p.table(a)
	return view{Template: "map", Title: "Argument of " + thread, Nav: "sessions", Thread: thread, Data: p}, nil
}

// draw puts the tests to the left of the hypotheses, and what attacks them to the right.
func (p *argumentPage) draw(a study.Argument) {
	crowd := len(a.Ties) > followed
	sketch := draw.Sketch{}
	for _, point := range a.Points {
		name := point.Name
		if point.Kind != study.PointAttack && point.Kind != study.PointQuestion {
			name = point.ID + " " + name
		}
		sketch.Nodes = append(sketch.Nodes, draw.SketchNode{ID: genealogy.NodeID(point.ID), Name: name, Note: point.Note,
			Killed: point.Killed, Column: columns[point.Kind]})
	}
	for _, t := range a.Ties {
		if crowd && t.Relation == study.Discriminates {
			p.LeftOut++
			continue
		}
		from, to, label := t.By, t.About, t.Label
		if crowd && t.Relation == study.Agrees {
			label = ""
		}
		if a.Points[t.By].Kind == study.PointTest {
			from, to = to, from
		}
		title := a.Points[t.By].ID + " " + string(t.Relation) + " " + a.Points[t.About].ID
		sketch.Arrows = append(sketch.Arrows, draw.Arrow{From: from, To: to, Relation: string(t.Relation), Label: label, Title: title})
	}
	var relations []string
	for _, r := range relationWords {
		relations = append(relations, string(r.relation))
	}
	d := sketch.Layout()
	p.Picture = pictured(d, relations)
	points := map[genealogy.NodeID]study.Point{}
	for _, point := range a.Points {
		points[genealogy.NodeID(point.ID)] = point
	}
	for i := range p.Picture.Lines {
		relation := study.Relation(p.Picture.Lines[i].Relation)
		p.Picture.Lines[i].Plain = !slices.Contains(challenges, relation)
	}
	for i, b := range d.Boxes {
		p.Picture.Boxes[i].Href = points[b.ID].Href
		p.Picture.Boxes[i].Class += " is-" + string(points[b.ID].Kind)
	}
}

// table lists beside each hypothesis what bears on it, in words.
func (p *argumentPage) table(a study.Argument) {
	for i, point := range a.Points {
		if columns[point.Kind] != 1 {
			continue
		}
		row := argumentRow{Point: point}
		for _, r := range relationWords {
			group := argumentGroup{Relation: r.relation, Words: r.words}
			for _, t := range a.Ties {
				if t.About == i && t.Relation == r.relation {
					group.Points = append(group.Points, a.Points[t.By])
				}
			}
			if len(group.Points) > 0 {
				row.Groups = append(row.Groups, group)
			}
		}
		p.Rows = append(p.Rows, row)
	}
}
