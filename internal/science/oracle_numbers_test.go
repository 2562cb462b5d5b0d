package science_test

import (
	"fmt"
	"strconv"
)

// ruler is a quantity at random.
func (w *writer) ruler() *ruler {
	q := pick(w, ruler{low: 50, high: 100, unit: "km/s/Mpc"}, ruler{low: -2, high: 2}, ruler{low: 0, high: 1},
		ruler{low: 1e-9, high: 1e-3, log: true, unit: "M"})
	if w.one(2) {
		q.sd = (q.high - q.low) / float64(5+w.IntN(40))
		if q.log {
			q.sd = 0.1 + 0.1*float64(w.IntN(5))
		}
	}
	return &q
}

func (w *writer) number(q *ruler) float64 {
	x := q.low + (q.high-q.low)*(0.05+0.9*w.Float64())
	if q.log {
		x = q.low * float64(1+w.IntN(9)) * pick(w, 1.0, 10, 100, 1000, 1e4, 1e5)
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		panic(err)
	}
	return short
}

func (w *writer) error(q *ruler, x float64) float64 {
	e := (q.high - q.low) * pick(w, 0.01, 0.05, 0.1, 0.3)
	if q.log {
		e = x * pick(w, 0.01, 0.1, 0.5)
	}
	return e
}

func (w *writer) unit(q *ruler) string {
	if q.unit == "" || w.one(2) {
		return ""
	}
	return " " + q.unit
}

// spread is what a hypothesis expects of a quantity; in a few cases nothing that can be read.
func (w *writer) spread(q *ruler) string {
	x, y := w.number(q), w.number(q)
	if x > y {
		x, y = y, x
	}
	e := w.error(q, x)
	switch w.IntN(9) {
	case 0, 1, 2:
		return fmt.Sprintf("%v ± %v", x, e) + w.unit(q)
	case 3:
		return fmt.Sprintf("%v +%v -%v", x, e, e/3) + w.unit(q)
	case 4, 5:
		if x < y {
			return fmt.Sprintf("%v to %v", x, y) + w.unit(q)
		}
		return fmt.Sprint(x)
	case 6:
		return fmt.Sprintf("< %v", y)
	case 7:
		return fmt.Sprintf("> %v", x)
	}
	return pick(w, fmt.Sprint(x), "about so much", "n/a", fmt.Sprintf("%v furlongs", x))
}

// value is what was measured; in a few cases without its error.
func (w *writer) value(q *ruler) string {
	x := w.number(q)
	e := w.error(q, x)
	switch w.IntN(8) {
	case 0:
		return fmt.Sprint(x)
	case 1, 2:
		return fmt.Sprintf("%v +%v -%v", x, e, e/4)
	}
	return fmt.Sprintf("%v ± %v", x, e) + w.unit(q)
}
