package study

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/quantity"
	"brenner/internal/science"
)

// Measured is a test whose outcome is a number, with what was measured against what each explanation expected.
type Measured struct {
	Test, Name string
	Href       string
	Said       string // the main result
	Value      string // the same without its unit
	Unit       string
	Counted    bool
	Was        []string // what was replaced or withdrawn, without its unit
	Again      int      // replications
	Picture    figure.Forest
}

// measured draws every test with a quantity and a value that says its error.
func (b *builder) measured(s *Study) []Measured {
	var list []Measured
	for _, row := range s.Matrix.Tests {
		table := b.Science.TableOf(artifact.ItemID(row.ID))
		if table.Quantity == nil || row.Killed {
			continue
		}
		if m, ok := b.measure(s, row, table.Quantity); ok {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(x, y Measured) int {
		return artifact.CompareKeys(x.Test, y.Test)
	})
	return list
}

func (b *builder) measure(s *Study, row Row, q *quantity.Quantity) (Measured, bool) {
	m := Measured{Test: row.ID, Name: row.Name, Href: row.Href, Unit: q.Unit}
	m.Picture = figure.Forest{Unit: q.Unit, Log: q.Scale == quantity.Log}
	m.Picture.Low, m.Picture.High = q.Ends()
	found := false
	for _, r := range row.Results {
		if r.Value == nil || !r.Value.HasError() || q.Check(*r.Value) != nil {
			continue
		}
		x, plus, minus := q.OnScale(*r.Value)
		bare := *r.Value
		bare.Unit = nil
		v := figure.Whisker{X: x, Low: x - minus, High: x + plus, Said: r.Said}
		switch r.Standing {
		case science.Main:
			found, m.Said, m.Value, m.Counted = true, r.Said, bare.Text(), r.Counted
			m.Picture.Found, m.Picture.Counted = v, r.Counted
		case science.Replication:
			m.Again++
			m.Picture.Again = append(m.Picture.Again, v)
		case science.Replaced, science.Withdrawn:
			m.Was = append(m.Was, bare.Text())
			m.Picture.Gone = append(m.Picture.Gone, v)
		}
	}
	for i, c := range s.Matrix.Columns {
		if bar, ok := b.expected(row.Cells[i], q); ok {
			bar.ID, bar.Killed = c.ID, c.Killed
			m.Picture.Bars = append(m.Picture.Bars, bar)
		}
	}
	m.Picture.Label = m.label()
	return m, found
}

func (b *builder) expected(cell Cell, q *quantity.Quantity) (figure.Expectation, bool) {
	spread, err := q.Spread(cell.Held())
	if err != nil {
		return figure.Expectation{}, false
	}
	e := figure.Expectation{Said: cell.Held(), Z: cell.Z, Verdict: cell.Verdict}
	e.Low, e.Mid, e.High, e.Centred = q.Reach(spread)
	return e, true
}

// label says what the picture shows to whom cannot see it.
func (m *Measured) label() string {
	parts := []string{m.Test + " found " + m.Said}
	for _, bar := range m.Picture.Bars {
		text := bar.ID + " expected " + bar.Said
		if bar.Verdict != "" {
			text += ", " + bar.Verdict.Words()
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
