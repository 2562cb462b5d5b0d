package study

import (
	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/quantity"
	"brenner/internal/science"
)

// Trial is what each explanation expects of a test that measures a quantity, with a value held against it that nobody has recorded.
// What is no value of the test is left out. It is false for a test that measures none.
func Trial(s *Study, src Source, test artifact.ItemID, given string) (Measured, bool) {
	b := &builder{Source: src}
	row, q := s.Matrix.row(test), src.Science.TableOf(test).Quantity
	if row == nil || q == nil {
		return Measured{}, false
	}
	var value *quantity.Value
	if v, err := quantity.ParseValue(given); err == nil && v.HasError() && q.Check(v) == nil {
		value = &v
	}
	m := Measured{Test: row.ID, Name: row.Name, Href: row.Href, Unit: q.Unit}
	m.Picture = figure.Forest{Unit: q.Unit, Log: q.Scale == quantity.Log, Counted: true, Blank: value == nil}
	m.Picture.Low, m.Picture.High = q.Ends()
	m.Said = "nothing yet"
	if value != nil {
		m.Said = value.Text()
		x, plus, minus := q.OnScale(*value)
		m.Picture.Found = figure.Whisker{X: x, Low: x - minus, High: x + plus, Said: m.Said}
	}
	for i, c := range s.Matrix.Columns {
		cell := row.Cells[i]
		bar, ok := b.expected(cell, q)
		if !ok || c.Killed {
			continue
		}
		bar.ID = c.ID
		if value != nil {
			bar.Verdict, bar.Z = b.tried(test, value, cell.Held())
		}
		m.Picture.Bars = append(m.Picture.Bars, bar)
	}
	m.Picture.Label = m.label()
	return m, true
}

// tried judges a value as a result would be (science.State.Judge).
func (b *builder) tried(test artifact.ItemID, value *quantity.Value, held string) (figure.Verdict, *float64) {
	judged, z := b.Science.Judge(&science.Result{Test: test, Value: value}, held)
	return map[science.CellVerdict]figure.Verdict{science.AsExpected: figure.AsExpected, science.Contradicted: figure.Contradicted}[judged],
		z
}
