package quantity

import "math"

// Span is the width of the range on the quantity's scale.
func (q *Quantity) Span() float64 { return finite(q.onScale(q.High) - q.onScale(q.Low)) }

// Uniform is the density of somebody who knows only the range: 1/(hi−lo).
func (q *Quantity) Uniform() float64 { return 1 / q.Span() }

func (q *Quantity) onScale(x float64) float64 {
	if q.Scale == Log {
		return math.Log10(x)
	}
	return x
}

// Measurement is a value with its errors on the scale of a quantity.
type Measurement struct{ X, Plus, Minus float64 }

// Measured puts a value with its errors on the quantity's scale.
func (q *Quantity) Measured(v Value) Measurement {
	x, plus, minus := q.OnScale(v)
	return Measurement{x, max(finite(plus), smallest), max(finite(minus), smallest)} // an error is above 0, also beside a vast value
}

// Density is how dense a hypothesis that expects a spread finds a measurement (SCIENCE 4, quantities): a two-piece normal
// around a centre, or a flat interval, each blurred by the measurement's error. The spread is one of the quantity's.
func (q *Quantity) Density(s Spread, m Measurement) float64 {
	if a, b, ok := q.interval(s); ok {
		return m.inInterval(a, b)
	}
	centre, below, above := q.around(s, m)
	sigma := above
	if m.X < centre {
		sigma = below
	}
	z := (m.X - centre) / sigma
	return finite(math.Sqrt(2/math.Pi) / finite(below+above) * math.Exp(-z*z/2))
}

// around is the centre of a spread, with what it and the measurement's error come to below and above it.
func (q *Quantity) around(s Spread, m Measurement) (centre, below, above float64) {
	centre, minus, plus := q.onScale(s.X), s.Minus, s.Plus
	if q.Scale == Log {
		minus, plus = decades(minus, s.X), decades(plus, s.X)
	}
	return centre, finite(math.Hypot(minus, m.Plus)), finite(math.Hypot(plus, m.Minus))
}

// interval has the ends of a spread that is flat: < b begins at the range's lower end, > a ends at its upper one.
func (q *Quantity) interval(s Spread) (a, b float64, ok bool) {
	switch s.Shape {
	case Interval:
		return q.onScale(s.X), q.onScale(s.To), true
	case Below:
		return q.onScale(q.Low), q.onScale(s.X), true
	case Above:
		return q.onScale(s.X), q.onScale(q.High), true
	}
	return 0, 0, false
}

// inInterval is (Φ((b−x)/s) − Φ((a−x)/s))/(b−a), s the mean of both errors.
func (m Measurement) inInterval(a, b float64) float64 {
	s := finite(m.Plus/2 + m.Minus/2)
	lo, hi := (a-m.X)/s, (b-m.X)/s
	if hi-lo < 1e-5 { // the difference would lose its digits: it is flat
		z := lo/2 + hi/2
		return finite(math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / s)
	}
	if lo > 0 { // the tails are exact on this side only
		lo, hi = -hi, -lo
	}
	return finite((normal(hi) - normal(lo)) / finite(b-a))
}

// normal is Φ.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// Distance is how far a measurement lies from a spread, in standard deviations: z of a verdict (SCIENCE 4).
func (q *Quantity) Distance(s Spread, m Measurement) float64 {
	if a, b, ok := q.interval(s); ok {
		return finite(max(a-m.X, m.X-b, 0) / finite(m.Plus/2+m.Minus/2))
	}
	centre, below, above := q.around(s, m)
	sigma := above
	if m.X < centre {
		sigma = below
	}
	return finite(math.Abs(m.X-centre) / sigma)
}

// Cells is into how many equal parts a range is cut for what a measurement might find.
const Cells = 400

// Planned says what the planned measurement might find: the middle of each cell of the range, with the planned error, which is at least
// a cell's width. Where nobody planned one it is a twentieth of the range.
func (q *Quantity) Planned() (cells []Measurement, assumed bool) {
	low, width := q.onScale(q.Low), q.Span()/Cells
	sd := q.SD
	if sd <= 0 {
		sd, assumed = q.Span()/20, true
	}
	sd = finite(max(sd, width))
	cells = make([]Measurement, Cells)
	for i := range cells {
		cells[i] = Measurement{low + (float64(i)+0.5)*width, sd, sd}
	}
	return cells, assumed
}

// Below is the share of the range's cells, each of a weight, that lies below a measurement.
func (q *Quantity) Below(weights []float64, m Measurement) float64 {
	low, width := q.onScale(q.Low), q.Span()/float64(len(weights))
	below, sum := 0.0, 0.0
	for i, w := range weights {
		sum += w
		below += w * min(1, max(0, (m.X-low-float64(i)*width)/width))
	}
	return below / sum
}

// What can be divided by and compared with.
const smallest, largest = 1e-305, 1e305

// finite keeps a number from leaving that.
func finite(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < smallest && x > 0:
		return smallest
	case x > largest:
		return largest
	}
	return x
}
