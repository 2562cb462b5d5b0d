package science

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/quantity"
	"brenner/internal/textnorm"
)

// Table has the rows of a test (SCIENCE 4): for each world how likely each label, or how dense each value, is. Rows are finished: a
// stated zero is not final in them.
type Table struct {
	Test     artifact.ItemID
	Worlds   []World // that it has rows for: the hypotheses that were active then, and None
	Labels   []string
	Keys     []string           // normalised labels
	Quantity *quantity.Quantity // nil if its outcomes are labels
	Frozen   bool               // as it stood just before the first look
	Assumed  []string           // parts of the score that were missing
	Zero     bool               // its likelihood ratio is scored 0: derived rows tell nothing

	newborn   bool             // the test was not there before its first look
	mixed     float64          // how much of a quantity's density is spread over the range
	expected  map[World]bool   // hypotheses with an expected outcome, or a cell that is read
	common    map[World]*Row   // of an agent who stated nothing; a world without one is uniform, None the mean
	own       map[string][]Row // what agents stated themselves, by name in lower case
	stated    map[World][]string
	derived   int      // labels that are expected outcomes
	differ    []string // agents who stated other labels
	otherKind []string // agents who stated labels of a quantity, or numbers of a test with labels
	unread    []unread
}

// Row is one world's row: a number for each label, or spreads with their weights.
type Row struct {
	World   World
	P       []float64
	Spreads []WeightedSpread
}

// WeightedSpread is a spread that somebody stated or a hypothesis expects, and how much it counts.
type WeightedSpread struct {
	quantity.Spread
	Weight float64
	Text   string // as written
}

// unread is a cell that is no number with a spread in the quantity's unit.
type unread struct {
	world World
	text  string
	by    string // who stated it; empty: it is the test's own cell
	err   error
}

// Statement is what an agent said about a test. One without labels has cells.
type Statement struct {
	Agent string
	Mark
	Labels    []string `json:",omitzero"`
	Keys      []string `json:",omitzero"`
	Rows      []StatedRow
	Rationale string `json:",omitzero"`
}

// StatedRow is how likely an agent holds each label in a world, or the cell that it wrote.
type StatedRow struct {
	World World
	P     []float64 `json:",omitzero"`
	Cell  string    `json:",omitzero"`
}

// label is the place of the label that an outcome equals after normalising; -1 if there is none.
func (t *Table) label(outcome string) int { return slices.Index(t.Keys, textnorm.Label(outcome)) }

// informative tells whether the test can tell anything: with fewer than two labels it cannot.
func (t *Table) informative() bool { return t.Quantity != nil || len(t.Labels) >= 2 }

// Has reports whether the table has a row for a world that is not the uniform one.
func (t *Table) Has(w World) bool { return t.common[w] != nil }

// StatedBy are the agents who stated a row for a world.
func (t *Table) StatedBy(w World) []string { return t.stated[w] }

// rowOf is the row that an agent uses for a world: its own, else the common one; nil for the uniform one. What it has for None
// without a row is the mean of the others.
func (t *Table) rowOf(agent string, w World) *Row {
	own := t.own[strings.ToLower(agent)]
	for i := range own {
		if own[i].World == w {
			return &own[i]
		}
	}
	return t.common[w]
}

// Outcome is what a result says in the terms of its table.
type Outcome struct {
	Label      int
	Value      quantity.Measurement
	Unforeseen bool
}

// The likelihoods of what nobody had foreseen.
const (
	unforeseenExpected = 0.1  // where something was expected
	unforeseenSilent   = 0.25 // elsewhere
)

// likelihoods are those of an outcome in each of the worlds, of which None is the last: by the rows of an agent, of the common table
// for no name.
func (t *Table) likelihoods(agent string, o Outcome, worlds []World) []float64 {
	list := make([]float64, len(worlds))
	t.seenBy(agent, worlds).put(list, o)
	return list
}

// sight are the rows of a table that an agent uses for worlds, of which None is the last.
type sight struct {
	*Table
	rows     []*Row // nil: the uniform one
	expected []bool
}

func (t *Table) seenBy(agent string, worlds []World) *sight {
	s := &sight{t, make([]*Row, len(worlds)), make([]bool, len(worlds))}
	for i, w := range worlds {
		s.rows[i], s.expected[i] = t.rowOf(agent, w), w != None && t.expected[w]
	}
	return s
}

// put fills in the likelihood of an outcome in each world.
func (s *sight) put(list []float64, o Outcome) {
	sum, last := 0.0, len(list)-1
	for i := range list[:last] {
		list[i] = s.likelihood(s.rows[i], o, s.expected[i])
		sum += list[i]
	}
	list[last] = s.ofNone(o, sum)
}

// ofNone is the likelihood of an outcome in None. It is made last, as the mean of the others, of which the sum is known, unless somebody
// stated a row for it (SCIENCE 4, none).
func (s *sight) ofNone(o Outcome, sum float64) float64 {
	last := len(s.rows) - 1
	switch row := s.rows[last]; {
	case o.Unforeseen:
		return unforeseenSilent
	case row != nil:
		return s.likelihood(row, o, false)
	case last > 0:
		return sum / float64(last)
	}
	return s.likelihood(nil, o, false) // no hypothesis is left
}

// likelihood is that of an outcome by one row; nil for the uniform one.
func (t *Table) likelihood(row *Row, o Outcome, expected bool) float64 {
	switch {
	case o.Unforeseen && (row != nil || expected):
		return unforeseenExpected
	case o.Unforeseen:
		return unforeseenSilent
	case t.Quantity != nil:
		return t.density(row, o.Value)
	case row != nil:
		return row.P[o.Label]
	}
	return 1 / float64(len(t.Labels))
}

// density is (1−m)·d + m/(hi−lo), where d is the mean of the densities of the row's spreads.
func (t *Table) density(row *Row, m quantity.Measurement) float64 {
	if row == nil {
		return t.Quantity.Uniform()
	}
	d := 0.0
	for _, s := range row.Spreads {
		d += s.Weight * t.Quantity.Density(s.Spread, m)
	}
	return t.mix(d)
}

// mix is a density, into which a share of the uniform one is mixed.
func (t *Table) mix(d float64) float64 { return (1-t.mixed)*d + t.mixed*t.Quantity.Uniform() }

// matrix has an agent's row for each of the worlds over everything that could be found: the labels, or the cells of the range, where each
// row is scaled to 1.
func (t *Table) matrix(agent string, worlds []World) [][]float64 {
	return t.over(t.outcomes()).matrix(agent, worlds)
}

// outcomes are everything that the test could find.
func (t *Table) outcomes() []Outcome {
	var list []Outcome
	if t.Quantity != nil {
		cells, _ := t.Quantity.Planned()
		for _, m := range cells {
			list = append(list, Outcome{Value: m})
		}
		return list
	}
	for label := range t.Labels {
		list = append(list, Outcome{Label: label})
	}
	return list
}
