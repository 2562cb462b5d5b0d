package study

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/message"
	"brenner/internal/science"
)

// Argument is what speaks for and against the explanations of a session: tests that tell them apart, attacks on them,
// and anomalies that conflict with them.
type Argument struct {
	Points []Point
	Ties   []Tie
	Left   int // tests that are not in it
}

// Point is a hypothesis, or something that speaks about one.
type Point struct {
	ID, Name string
	Note     string
	Href     string
	Killed   bool
	Kind     PointKind
}

// PointKind says what a point is.
type PointKind string

// The kinds of points.
const (
	PointHypothesis PointKind = "hypothesis"
	PointTest       PointKind = "test"
	PointAttack     PointKind = "attack"
	PointAnomaly    PointKind = "anomaly"
	PointAssumption PointKind = "assumption"
	PointQuestion   PointKind = "question"
)

// Tie joins two points: a test, an attack or an anomaly with what it is about.
type Tie struct {
	By, About int
	Relation  Relation
	Label     string
}

// Relation says how one point bears on another.
type Relation string

// The relations.
const (
	Discriminates Relation = "discriminates" // nothing was found yet
	Agrees        Relation = "agrees"        // it was found as expected
	Contradicts   Relation = "contradicts"
	Afterwards    Relation = "afterwards" // the prediction was written after the result
	Attacks       Relation = "attacks"
	Answered      Relation = "answered"  // an attack that has an answer
	Withdrawn     Relation = "withdrawn" // an attack that its own critic closed
	Conflicts     Relation = "conflicts"
)

// NewArgument arranges the argument with at most so many tests, those with a result first; frame are attacks on the whole question.
func NewArgument(s *Study, src Source, frame []Attack, maxTests int) Argument {
	b := &arguing{places: map[string]int{}}
	for _, h := range s.Hypotheses {
		note := figure.Percent(h.Pooled)
		if h.Killed != nil {
			note = "given up by " + h.Killed.By.Name
		}
		b.place(Point{ID: h.ID, Name: h.Name, Note: note, Href: h.Href, Killed: h.Killed != nil, Kind: PointHypothesis})
	}
	b.tests(s, maxTests)
	for _, h := range s.Hypotheses {
		b.attacks(h.ID, h.Attacks, src.Links)
	}
	if len(frame) > 0 {
		b.place(Point{ID: question, Name: "The whole question", Href: "#table-title", Kind: PointQuestion})
		b.attacks(question, frame, src.Links)
	}
	b.anomalies(src)
	return b.Argument
}

// question is the place of attacks that name no item.
const question = "?"

type arguing struct {
	Argument
	places map[string]int
}

func (b *arguing) place(p Point) int {
	i, known := b.places[p.ID]
	if !known {
		i = len(b.Points)
		b.places[p.ID] = i
		b.Points = append(b.Points, p)
	}
	return i
}

// tests are those that expect different things, or have a result; those with a result come first.
func (b *arguing) tests(s *Study, most int) {
	var rows []Row
	for _, row := range s.Matrix.Tests {
		if n := len(row.letters()); !row.Killed && (n > 1 || n == 1 && row.Found != nil) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(x, y Row) int { return boolOrder(y.Found != nil, x.Found != nil) })
	if len(rows) > most {
		b.Left = len(rows) - most
		rows = rows[:most]
	}
	for _, row := range rows {
		test := b.place(Point{ID: row.ID, Name: row.Name, Note: row.note(), Href: row.Href, Kind: PointTest})
		for i, cell := range row.Cells {
			if cell.Letter != "" {
				b.Ties = append(b.Ties, Tie{test, b.places[s.Matrix.Columns[i].ID], verdictRelation(cell.Verdict),
					strings.TrimSpace(cell.Verdict.Glyph() + " " + cell.Letter)})
			}
		}
	}
}

func boolOrder(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// letters are the different outcomes of a row.
func (r Row) letters() []string {
	var list []string
	for _, c := range r.Cells {
		if c.Letter != "" && !slices.Contains(list, c.Letter) {
			list = append(list, c.Letter)
		}
	}
	return list
}

func (r Row) note() string {
	switch {
	case r.Found != nil && r.Found.Outcome != "":
		return "found: " + r.Found.Outcome
	case r.Found != nil:
		return r.Found.Status
	case r.Advice != nil:
		return fmt.Sprintf("%.2f bits to learn", r.Advice.Bits)
	}
	return "not run yet"
}

func verdictRelation(v figure.Verdict) Relation {
	switch v {
	case figure.AsExpected:
		return Agrees
	case figure.Contradicted:
		return Contradicts
	case figure.PostHoc:
		return Afterwards
	}
	return Discriminates
}

func (b *arguing) attacks(on string, attacks []Attack, links Links) {
	for _, a := range attacks {
		id := fmt.Sprintf("#%d", a.MessageID)
		relation := Answered
		switch a.State {
		case science.AttackOpen:
			relation = Attacks
		case science.AttackWithdrawn:
			relation = Withdrawn
		}
		note := string(a.State) + " · " + a.From
		if a.Severity != "" {
			note = a.Severity + ", " + note
		}
		by := b.place(Point{ID: id + " " + a.Title, Name: id + " " + a.Title, Note: note, Href: links.Message(a.MessageID),
			Killed: a.State != science.AttackOpen, Kind: PointAttack})
		b.Ties = append(b.Ties, Tie{by, b.places[on], relation, string(relation)})
	}
}

func (b *arguing) anomalies(src Source) {
	for _, it := range src.Artifact.Active(artifact.AnomalyRegister) {
		for _, text := range it.List(artifact.ConflictsWith) {
			for _, id := range message.ItemWords(text) {
				other := src.Artifact.Item(artifact.ItemID(id))
				if other == nil || other.Section != artifact.HypothesisSlate && other.Section != artifact.AssumptionLedger {
					continue
				}
				about := b.place(Point{ID: id, Name: other.Title(), Note: other.Text(artifact.Status), Href: src.Links.Item(other.ID),
					Killed: !other.Active(), Kind: PointAssumption})
				by := b.place(Point{ID: string(it.ID), Name: it.Title(), Note: "anomaly, " + it.Text(artifact.Status),
					Href: src.Links.Item(it.ID), Kind: PointAnomaly})
				b.Ties = append(b.Ties, Tie{by, about, Conflicts, string(Conflicts)})
			}
		}
	}
}
