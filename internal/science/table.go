package science

import (
	"slices"

	"brenner/internal/textnorm"
)

// Table is the likelihood table of a test, the same for everyone: for each world how likely each
// label is.
type Table struct {
	Labels  []string
	Keys    []string // normalised labels
	Rows    []Row    // of worlds; one that has none is uniform
	Stated  bool     // by agents; else derived from what the hypotheses expect
	Assumed []string // parts of the score that were missing
	Differ  []string // agents whose labels are others, and who were not heard
}

// Row is how likely each label is in a world.
type Row struct {
	World World
	P     []float64
}

// Statement is what an agent said about a test.
type Statement struct {
	Agent     string
	Place     int
	MessageID int64
	Labels    []string
	Keys      []string
	Rows      []Row // by world
}

func (t *Table) row(w World) []float64 { return rowOf(t.Rows, w) }

// Has reports whether the table has a row of its own for a world.
func (t *Table) Has(w World) bool { return t.row(w) != nil }

func rowOf(rows []Row, w World) []float64 {
	for i := range rows {
		if rows[i].World == w {
			return rows[i].P
		}
	}
	return nil
}

// likelihood is L(o|w).
func (t *Table) likelihood(w World, label int) float64 {
	if row := t.row(w); row != nil {
		return row[label]
	}
	return 1 / float64(len(t.Labels))
}

// label is the place of the label that an outcome equals after normalising; -1 if there is none.
func (t *Table) label(outcome string) int { return slices.Index(t.Keys, textnorm.Label(outcome)) }

// informative tells whether the test can tell anything: with fewer than two labels it cannot.
func (t *Table) informative() bool { return len(t.Labels) >= 2 }

// table is the likelihood table of a test by what has been said so far.
func (r *Beliefs) table(t *Test) Table {
	if len(t.Statements) > 0 {
		return stated(t.Statements, r.Worlds)
	}
	return derived(t, r.Worlds)
}

// stated is, for each world, the mean of the rows stated by the agents whose labels equal the
// latest statement's, as sets.
func stated(statements []Statement, worlds []World) Table {
	latest := statements[len(statements)-1]
	t := Table{Labels: latest.Labels, Keys: latest.Keys, Stated: true}
	var heard []Statement
	for _, s := range statements {
		if columns, same := s.columns(t.Keys); same {
			heard = append(heard, s.arranged(columns))
		} else {
			t.Differ = append(t.Differ, s.Agent)
		}
	}
	for _, w := range worlds {
		var rows [][]float64
		for _, s := range heard {
			if row := rowOf(s.Rows, w); row != nil {
				rows = append(rows, row)
			}
		}
		if len(rows) > 0 {
			t.Rows = append(t.Rows, Row{w, mean(rows, len(t.Labels))})
		}
	}
	return t
}

// columns maps the columns of other labels to the statement's own; false if the labels differ.
func (s *Statement) columns(keys []string) ([]int, bool) {
	if len(keys) != len(s.Keys) {
		return nil, false
	}
	columns := make([]int, len(keys))
	for i, key := range keys {
		if columns[i] = slices.Index(s.Keys, key); columns[i] < 0 {
			return nil, false
		}
	}
	return columns, true
}

// arranged is the statement with its columns in another order.
func (s Statement) arranged(columns []int) Statement {
	rows := make([]Row, len(s.Rows))
	for i, row := range s.Rows {
		rows[i] = Row{row.World, make([]float64, len(columns))}
		for j, from := range columns {
			rows[i].P[j] = row.P[from]
		}
	}
	s.Rows = rows
	return s
}
