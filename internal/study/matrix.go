package study

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/figure"
	"brenner/internal/science"
	"brenner/internal/textnorm"
)

// Matrix is what every explanation expects of every test and prediction, and what was found.
type Matrix struct {
	Columns     []Column
	Tests       []Row // in rank order, the killed last
	Predictions []Row
	Pairs       []Pair
}

// lettersOnlyAbove is the number of rows from which words no longer fit a screen.
const lettersOnlyAbove = 16

// LettersOnly reports whether cells show letters and leave the words to their cards.
func (m *Matrix) LettersOnly() bool { return len(m.Tests)+len(m.Predictions) > lettersOnlyAbove }

// Column is a hypothesis.
type Column struct {
	ID, Name    string
	Href        string
	Killed      bool
	Born, Ended int // places of its first message and of its kill
	Right       int // results that came as it expected
	Wrong       int
	Late        int // cells that said nothing before the first look
}

// Row is a test or a prediction.
type Row struct {
	ID, Name string
	Href     string
	Killed   bool
	Unit     string          // of the quantity that a test measures
	Numeric  bool            // its outcomes are numbers
	Found    *Found          // nil without a result
	Results  []Result        // every result and attempt, oldest first
	Advice   *science.Advice // of a test that could be done
	Cells    []Cell          // by column
	Apart    map[string]bool // keys of the pairs that it tells apart
}

// Found is the result of a test.
type Found struct {
	Outcome     string
	Letter      string // of the outcome in its row; empty: no hypothesis expected it
	Status      string
	Exploratory bool
	Counted     bool   // it counts; a result whose control failed is shown without a verdict
	Unforeseen  bool   // nobody had foreseen it
	Others      string // what became of the test's other results
	MessageID   int64
	Place       int
	By          figure.Agent
	Evidence    []string
	Before      []figure.Share // the pool just before the result, where it moved
	After       []figure.Share

	result *science.Result
}

// Cell is what one hypothesis expects.
type Cell struct {
	Letter     string // the same for the same outcome; empty: nothing is expected
	Text       string
	Verdict    figure.Verdict // empty without a result
	Z          *float64       // how many standard deviations the value lies off; nil for a label
	Registered string         // what a late cell said before the first look
	Late       bool           // it was written when somebody had looked
	Apart      bool           // the test tells its hypothesis apart from another

	Stated *science.Prediction // who wrote it, and when; nil: nobody did, or it is of the table of predictions
}

// Pair is two living hypotheses and what tells them apart.
type Pair struct {
	First, Second string
	Rows          int
	OpenTests     int
}

// Key names a pair in addresses and classes.
func (p Pair) Key() string { return p.First + "-" + p.Second }

// Pair returns the pair with the key.
func (m *Matrix) Pair(key string) (Pair, bool) {
	i := slices.IndexFunc(m.Pairs, func(p Pair) bool { return p.Key() == key })
	if i < 0 {
		return Pair{}, false
	}
	return m.Pairs[i], true
}

func (b *builder) matrix(s *Study) Matrix {
	var m Matrix
	for _, h := range s.Hypotheses {
		c := Column{ID: h.ID, Name: h.Name, Href: h.Href, Killed: h.Killed != nil, Born: h.Born}
		if h.Killed != nil {
			c.Ended = h.Killed.Place
		}
		m.Columns = append(m.Columns, c)
	}
	alive := s.Alive()
	for i, first := range alive {
		for _, second := range alive[i+1:] {
			m.Pairs = append(m.Pairs, Pair{First: first.ID, Second: second.ID})
		}
	}
	for _, it := range livingFirst(b.Artifact.Ordered(artifact.DiscriminativeTests)) {
		m.Tests = append(m.Tests, b.testRow(&m, it))
	}
	for _, it := range livingFirst(b.Artifact.Items(artifact.PredictionsTable)) {
		m.Predictions = append(m.Predictions, b.predictionRow(&m, it))
	}
	b.markTests(s, &m)
	return m
}

func livingFirst(items []*artifact.Item) []*artifact.Item {
	list := slices.Clone(items)
	slices.SortStableFunc(list, func(a, b *artifact.Item) int {
		switch {
		case a.Active() == b.Active():
			return 0
		case a.Active():
			return -1
		}
		return 1
	})
	return list
}

func (b *builder) testRow(m *Matrix, it *artifact.Item) Row {
	row := Row{ID: string(it.ID), Name: it.Title(), Href: b.Links.Item(it.ID), Killed: !it.Active(), Found: b.found(it.ID),
		Results: b.runs[it.ID]}
	row.Advice = b.advice[it.ID]
	if q := b.Science.TableOf(it.ID).Quantity; q != nil {
		row.Numeric, row.Unit = true, q.Unit
	}
	var keys []string
	for i := range m.Columns {
		cell := b.testCell(it, m.Columns[i].ID, row.Found)
		if held := cell.Held(); science.Expects(held) {
			key := textnorm.Label(held)
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			cell.Letter = letter(slices.Index(keys, key))
		}
		if row.Found != nil && cell.Letter != "" && same(cell.Held(), row.Found.Outcome) {
			row.Found.Letter = cell.Letter
		}
		row.Cells = append(row.Cells, cell)
		m.Columns[i].count(cell)
	}
	table := b.Account.Table(it.ID)
	m.separate(&row, func(first, second string) bool {
		return table.TellsApart(science.WorldOf(first), science.WorldOf(second))
	})
	row.mark(m, table)
	return row
}

// mark notes of which hypotheses a test says anything: those that it tells apart from a living one, and of the
// killed ones those that it told apart when it had its result.
func (r *Row) mark(m *Matrix, table *science.Table) {
	for i, c := range m.Columns {
		own := science.WorldOf(c.ID)
		r.Cells[i].Apart = slices.ContainsFunc(m.Columns, func(other Column) bool {
			w := science.WorldOf(other.ID)
			counts := !c.Killed && !other.Killed || table.Has(own) && table.Has(w)
			return counts && table.TellsApart(own, w)
		})
	}
}

func (c *Column) count(cell Cell) {
	switch cell.Verdict {
	case figure.AsExpected:
		c.Right++
	case figure.Contradicted:
		c.Wrong++
	case figure.PostHoc:
		c.Late++
	}
}

// letter names an outcome.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return string(rune('A'+i%26)) + string(rune('0'+i/26%10))
}

func (b *builder) testCell(it *artifact.Item, hypothesis string, found *Found) Cell {
	p := b.cells[cellKey{it.ID, hypothesis}]
	if p == nil {
		if found != nil && found.Outcome != "" {
			return Cell{Verdict: figure.Silent}
		}
		return Cell{}
	}
	cell := Cell{Late: p.Late(), Stated: p}
	if p.Expected != nil {
		cell.Text = *p.Expected
	}
	if p.Registered != nil {
		cell.Registered = *p.Registered
	}
	cell.Verdict, cell.Z = b.verdict(p, found)
	return cell
}

// Held is the text that a result is held against; a late cell that said nothing before shows its own.
func (c Cell) Held() string {
	if c.Registered != "" {
		return c.Registered
	}
	return c.Text
}

// Rewritten reports whether a cell says something else than what the result is held against.
func (c Cell) Rewritten() bool { return c.Late && c.Registered != "" }

// verdict marks a cell by how the result stands to what it expects (science.State.Judge).
func (b *builder) verdict(p *science.Prediction, found *Found) (figure.Verdict, *float64) {
	held := p.Held()
	switch {
	case found == nil || found.Outcome == "":
		return "", nil
	case p.Late() && held == "":
		return figure.PostHoc, nil
	case !science.Expects(held):
		return figure.Silent, nil
	}
	judged, z := b.Science.Judge(found.result, held)
	if found.result.Potency == science.PotencyFailed { // it says nothing for or against anybody
		return "", z
	}
	return map[science.CellVerdict]figure.Verdict{science.AsExpected: figure.AsExpected, science.Contradicted: figure.Contradicted}[judged],
		z
}

// found is the result that stands, with its own message, recorder and sources (SCIENCE 2).
func (b *builder) found(test artifact.ItemID) *Found {
	r := b.Science.Results.Shown(test)
	if r == nil {
		return nil
	}
	f := &Found{
		Outcome: strings.TrimSpace(r.Text()), Status: r.Status, Exploratory: r.Exploratory, Others: b.Science.Results.Others(test),
		MessageID: r.MessageID, Place: r.Place, By: b.Cast.Of(r.By), Evidence: r.Evidence, result: r,
	}
	f.Unforeseen = r.Unforeseen != ""
	for _, own := range b.runs[test] {
		f.Counted = f.Counted || own.MessageID == r.MessageID && own.Counted
	}
	f.Before, f.After = b.around(r.Place)
	return f
}

func (b *builder) predictionRow(m *Matrix, it *artifact.Item) Row {
	row := Row{ID: string(it.ID), Name: it.Text(artifact.Condition), Href: b.Links.Item(it.ID), Killed: !it.Active()}
	ids := make([]artifact.ItemID, len(m.Columns))
	for i, c := range m.Columns {
		ids[i] = artifact.ItemID(c.ID)
	}
	letters, _ := Letters(it, ids)
	cells := it.Map(artifact.Predictions)
	for i, c := range m.Columns {
		text, _ := cells.Get(c.ID)
		row.Cells = append(row.Cells, Cell{Text: text, Letter: letters[i]})
	}
	m.separate(&row, row.differ(m))
	return row
}

// Letters gives each hypothesis the letter of the outcome that a row of predictions expects of it, empty where it says nothing, and counts
// the different outcomes.
func Letters(row *artifact.Item, hypotheses []artifact.ItemID) (letters []string, distinct int) {
	numbers, distinct := lint.Outcomes(row, hypotheses)
	letters = make([]string, len(numbers))
	for i, n := range numbers {
		if n != lint.Blank {
			letters[i] = letter(n)
		}
	}
	return letters, distinct
}

// Differing counts for every two hypotheses the rows of predictions that expect different outcomes of them.
func Differing(rows []*artifact.Item, hypotheses []artifact.ItemID) []Pair {
	var pairs []Pair
	for i, first := range hypotheses {
		for _, second := range hypotheses[i+1:] {
			pairs = append(pairs, Pair{First: string(first), Second: string(second)})
		}
	}
	for _, row := range rows {
		letters, _ := Letters(row, hypotheses)
		k := 0
		for i := range hypotheses {
			for j := i + 1; j < len(hypotheses); j++ {
				if unlike(letters[i], letters[j]) {
					pairs[k].Rows++
				}
				k++
			}
		}
	}
	return pairs
}

// unlike reports whether two letters stand for different outcomes.
func unlike(a, b string) bool { return a != "" && b != "" && a != b }

// differ tells of which hypotheses a row of predictions expects different outcomes.
func (r *Row) differ(m *Matrix) func(first, second string) bool {
	letters := map[string]string{}
	for i, c := range m.Columns {
		letters[c.ID] = r.Cells[i].Letter
	}
	return func(first, second string) bool {
		return unlike(letters[first], letters[second])
	}
}

// separate notes which pairs of living hypotheses a row tells apart.
func (m *Matrix) separate(row *Row, apart func(first, second string) bool) {
	row.Apart = map[string]bool{}
	if row.Killed {
		return
	}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if apart(p.First, p.Second) {
			row.Apart[p.Key()] = true
			p.Rows++
			if row.Advice != nil {
				p.OpenTests++
			}
		}
	}
}

// TestMark is a test beside a hypothesis that it says something about.
type TestMark struct {
	ID, Name string
	Href     string
	Verdict  figure.Verdict // empty: not run yet
	Killed   bool
}

// markTests lists beside each hypothesis the tests that tell it apart from another.
func (b *builder) markTests(s *Study, m *Matrix) {
	for i := range s.Hypotheses {
		h := &s.Hypotheses[i]
		for _, row := range m.Tests {
			if cell := row.Cells[i]; !row.Killed && cell.Apart {
				h.Tests = append(h.Tests, TestMark{row.ID, row.Name, row.Href, cell.Verdict, row.Killed})
			}
		}
	}
}
