package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/figure"
	"brenner/internal/science"
	"brenner/internal/study"
)

// fewTurned is how many tests have room beside each other: so many are shown with the explanations in rows, where people judge with less
// bias (doi 10.1186/s41235-024-00560-y).
const fewTurned = 12

// wordsInCells is how many columns leave cells room for words; of more, a letter stands there and its words below the table's head.
const wordsInCells = 6

// The ways to look at what was expected, as addresses name them.
const (
	turnedView  = "turned"  // explanations in rows
	wordsView   = "words"   // tests in rows
	lettersView = "letters" // tests in rows, by letter
)

// expectedView is what each explanation expected of each test and what was found: tests in rows, or, turned, explanations.
type expectedView struct {
	Turned   bool
	Paired   bool        // a pair is chosen
	Others   []matrixWay // the other ways to look at it
	Pairs    []pairPill
	Tests    []expectedTest
	Worlds   []expectedWorld
	Panel    *cellPanel // the cell that the address asks for
	Words    bool       // the words of outcomes fit into the cells
	Unworded bool       // letters stand for words
}

// matrixWay leads to another look at the same.
type matrixWay struct{ Name, Href string }

// pairPill filters by what tells two explanations apart.
type pairPill struct {
	study.Pair
	Href    string
	Current bool
}

// expectedTest is a test with what was found of it and what everybody had expected.
type expectedTest struct {
	study.Row
	Value  string // of a number, without its unit
	Marks  []chip // what became of it
	Labels []outcomeLabel
	Cells  []expectedCell // by explanation
	Dim    bool
}

// outcomeLabel is a letter with the words that it stands for.
type outcomeLabel struct{ Letter, Words string }

// expectedWorld is an explanation with its cells by test, and how many results that count came as it had expected.
type expectedWorld struct {
	study.Column
	Cells []expectedCell
	Sum   string
}

// expectedCell is what one explanation expected of one test.
type expectedCell struct {
	study.Cell
	Class     string
	Mark      string // how the result stands to it; empty: not at all
	Late      string // it was written when somebody had looked
	Apart     string // how many standard errors lie between
	Label     string // what the cell says to a reader who cannot see it
	Test, Hyp string
	Numeric   bool
	Words     bool // its words fit into it
	Killed    bool
	Dim       bool
	Href      string
	Chosen    bool
}

// Key names a cell in addresses.
func (c expectedCell) Key() string { return c.Test + "." + c.Hyp }

// expected arranges the matrix; nil: it is too large for anything but letters.
func (v *studyView) expected(thread, way, chosen string) *expectedView {
	if v.Letters || len(v.Matrix.Tests) == 0 {
		return nil
	}
	e := &expectedView{Turned: len(v.Matrix.Tests) <= fewTurned && way != wordsView || way == turnedView,
		Paired: v.Pair != ""}
	base := threadURL(thread)
	other := matrixWay{"explanations in rows", base + "?matrix=" + turnedView + "#matrix"}
	if e.Turned {
		other = matrixWay{"tests in rows", base + "?matrix=" + wordsView + "#matrix"}
	}
	e.Others = []matrixWay{other, {"letters only", base + "?matrix=" + lettersView + "#matrix"}}
	for _, p := range v.Matrix.Pairs {
		e.Pairs = append(e.Pairs, pairPill{p, base + "?pair=" + p.Key() + "#matrix", v.Pair == p.Key()})
	}
	columns := len(v.Matrix.Columns)
	if e.Turned {
		columns = len(v.Matrix.Tests)
	}
	e.Words = e.Turned && columns <= wordsInCells
	for _, row := range v.Matrix.Tests[:min(len(v.Matrix.Tests), maxMatrixRows)] {
		e.Tests = append(e.Tests, e.test(v, row, base, chosen))
	}
	for i, column := range v.Matrix.Columns {
		w := expectedWorld{Column: column, Sum: sumOf(column)}
		for _, t := range e.Tests {
			w.Cells = append(w.Cells, t.Cells[i])
		}
		e.Worlds = append(e.Worlds, w)
	}
	e.Unworded = slices.ContainsFunc(e.Tests, func(t expectedTest) bool { return len(t.Labels) > 0 })
	return e
}

// sumOf says how many of the results that count came as an explanation had expected.
func sumOf(c study.Column) string {
	switch {
	case c.Right+c.Wrong > 0:
		return fmt.Sprintf("%d of %d", c.Right, c.Right+c.Wrong)
	case c.Late > 0:
		return fmt.Sprintf("0, %d afterwards", c.Late)
	}
	return "–"
}

func (e *expectedView) test(v *studyView, row study.Row, base, chosen string) expectedTest {
	t := expectedTest{Row: row, Dim: v.Pair != "" && !row.Apart[v.Pair]}
	t.found()
	for i, cell := range row.Cells {
		column := v.Matrix.Columns[i]
		c := expectedCell{Cell: cell, Test: row.ID, Hyp: column.ID, Numeric: row.Numeric, Words: e.Words, Killed: column.Killed, Dim: t.Dim}
		c.judge(&row)
		if cell.Text != "" || cell.Registered != "" {
			c.Href, c.Chosen = base+"?cell="+c.Key()+"#cell", c.Key() == chosen
		}
		t.Cells = append(t.Cells, c)
		label := outcomeLabel{cell.Letter, short(80, cell.Held())}
		if !row.Numeric && !e.Words && cell.Letter != "" && !slices.Contains(t.Labels, label) {
			t.Labels = append(t.Labels, label)
		}
	}
	slices.SortFunc(t.Labels, func(a, b outcomeLabel) int { return strings.Compare(a.Letter, b.Letter) })
	return t
}

// found says what was found of a test, and what became of its results.
func (t *expectedTest) found() {
	if t.Found == nil {
		if t.Advice != nil && t.Advice.Blocked != nil {
			t.Marks = append(t.Marks, chip{"late", "clk", "blocked"})
		}
		return
	}
	again, gone := 0, ""
	for _, r := range t.Results {
		switch r.Standing {
		case science.Main:
			if r.Value != nil {
				bare := *r.Value
				bare.Unit = nil
				t.Value = minus(bare.Text())
			}
		case science.Replication:
			again++
		case science.Replaced:
			gone = r.Said
			if r.Value != nil {
				gone = strconv.FormatFloat(r.Value.X, 'g', -1, 64)
			}
		}
		if r.Standing == science.Main && r.Potency != nil && *r.Potency == science.PotencyFailed {
			t.Marks = append(t.Marks, chip{"no", "ctl", "control failed"})
		}
	}
	if t.Found.Unforeseen {
		t.Marks = append(t.Marks, chip{"plum-t", "new", "unforeseen"})
	}
	if t.Found.Exploratory {
		t.Marks = append(t.Marks, chip{"late", "eye", "first look"})
	}
	if again > 0 {
		t.Marks = append(t.Marks, chip{"dim", "two", "replicated"})
	}
	if gone != "" {
		t.Marks = append(t.Marks, chip{"dim", "rep", "was " + minus(short(24, gone))})
	}
}

// judge gives a cell its class, its mark and its words: what was found counts before what is expected.
func (c *expectedCell) judge(row *study.Row) {
	said := c.Held()
	c.Label = row.ID + ", " + c.Hyp + ": nothing expected"
	if said != "" {
		c.Label = row.ID + ", " + c.Hyp + " expected " + said
	}
	switch {
	case c.Verdict == figure.AsExpected:
		c.Class, c.Mark = "vok", "ok"
	case c.Verdict == figure.Contradicted:
		c.Class, c.Mark = "vno", "no"
	case c.Verdict == figure.PostHoc:
		c.Class = "vph"
	case said == "":
		c.Class = "em"
	case row.Found == nil:
		c.Class = "vop"
	case row.Found.Unforeseen:
		c.Class, c.Mark = "vun", "new"
		c.Label += "; nobody foresaw what was found"
	case !row.Found.Counted:
		c.Class = "vpf"
		c.Label += "; the result does not count"
	default:
		c.Class = "vop"
	}
	if c.Verdict == figure.AsExpected || c.Verdict == figure.Contradicted {
		c.Label += "; " + c.Verdict.Words()
		if c.Z != nil {
			c.Apart = fmt.Sprintf("%.1f σ", *c.Z)
			c.Label += fmt.Sprintf(", %.1f standard errors apart", *c.Z)
		}
	}
	if c.Cell.Late {
		c.Late = "pen"
		if c.Stated != nil && c.Stated.State == science.AfterLook {
			c.Late = "eye"
		}
		c.Label += "; written when somebody had looked"
	}
	if c.Killed {
		c.Class += " kx"
	}
	if c.Dim {
		c.Class += " dimmed"
	}
}

// cell shows one cell of the matrix by itself, for whoever reads it in place.
func (w *Web) cell(r *http.Request) (view, error) {
	thread := r.PathValue("thread")
	of, err := w.deps.Sessions.Session(r.Context(), thread)
	if err != nil {
		return view{}, err
	}
	s, err := w.studied(of)
	if err != nil {
		return view{}, err
	}
	key := r.URL.Query().Get("cell")
	panel, err := w.panel(r.Context(), of, s, key)
	return view{Template: "cell", Title: key, Bare: true, Thread: thread, Data: panel}, err
}
