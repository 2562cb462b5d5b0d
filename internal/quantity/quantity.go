package quantity

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
)

// Scale says how a quantity is laid out.
type Scale string

// The scales.
const (
	Linear Scale = "linear"
	Log    Scale = "log" // everything is taken at its decimal logarithm
)

// Quantity is what a test measures, if its outcome is a number: the range that anybody holds possible, and how
// well the planned measurement would do.
type Quantity struct {
	Name  string  `json:"name,omitempty"`
	Unit  string  `json:"unit,omitempty"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Scale Scale   `json:"scale"`
	SD    float64 `json:"sd,omitempty"` // of the planned measurement, in decades on a log scale; 0 if it was not said
}

// Read reads a test's field quantity. The error says what is wrong with another form.
func Read(raw []byte) (Quantity, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return Quantity{}, errors.New("a quantity is an object with a range")
	}
	q := Quantity{Scale: Linear}
	for name, value := range members {
		if err := q.read(name, value); err != nil {
			return Quantity{}, err
		}
	}
	if members["range"] == nil {
		return Quantity{}, errors.New("a quantity has a range: [lo, hi]")
	}
	if q.Scale == Log && q.Low <= 0 {
		return Quantity{}, errors.New("on a log scale the range lies above 0")
	}
	return q, nil
}

func (q *Quantity) read(name string, value json.RawMessage) error {
	switch name {
	case "name":
		return q.text(value, &q.Name, "name is a text")
	case "unit":
		return q.text(value, &q.Unit, "unit is a text")
	case "scale":
		var scale string
		if err := q.text(value, &scale, "scale is linear or log"); err != nil || Scale(scale) != Linear && Scale(scale) != Log {
			return errors.New("scale is linear or log")
		}
		q.Scale = Scale(scale)
	case "sd":
		if json.Unmarshal(value, &q.SD) != nil || q.SD <= 0 {
			return errors.New("sd is a number above 0")
		}
	case "range":
		var ends []*float64
		if json.Unmarshal(value, &ends) != nil || len(ends) != 2 || ends[0] == nil || ends[1] == nil || *ends[0] >= *ends[1] {
			return errors.New("range is two numbers, the lower one first")
		}
		q.Low, q.High = *ends[0], *ends[1]
	default:
		return errors.New("a quantity has name, unit, range, scale and sd, and nothing else")
	}
	return nil
}

func (q *Quantity) text(value json.RawMessage, to *string, wrong string) error {
	var text *string
	if json.Unmarshal(value, &text) != nil || text == nil {
		return errors.New(wrong)
	}
	*to = strings.Join(strings.Fields(*text), " ")
	return nil
}

// Spread reads what a hypothesis expects of the quantity.
func (q *Quantity) Spread(text string) (Spread, error) {
	s, err := Parse(text)
	if err != nil {
		return Spread{}, err
	}
	if err := q.unit(s.Unit); err != nil {
		return Spread{}, err
	}
	if q.Scale == Log && (s.X <= 0 || s.Shape == Interval && s.To <= 0) {
		return Spread{}, ErrNotPositive
	}
	return s, nil
}

// ErrNotPositive is the error for a number that a log scale does not have.
var ErrNotPositive = errors.New("on a log scale a number lies above 0")

// ErrNoError is the error for a value that does not say how exact it is.
var ErrNoError = errors.New("a value has its error, such as 73 ± 1 or 73 +2 -1")

// Check says what keeps a value from being one of the quantity, with its error.
func (q *Quantity) Check(v Value) error {
	if v.Unit != nil {
		if err := q.unit(*v.Unit); err != nil {
			return err
		}
	}
	switch {
	case q.Scale == Log && v.X <= 0:
		return ErrNotPositive
	case !v.HasError():
		return ErrNoError
	}
	return nil
}

func (q *Quantity) unit(written string) error {
	switch {
	case written == "" || written == q.Unit:
		return nil
	case q.Unit == "":
		return errors.New("the quantity has no unit, and " + written + " is none of its")
	}
	return errors.New("the unit is " + q.Unit + ", not " + written)
}

// OnScale is a value with its errors on the quantity's scale: an error s at x is s/(x·ln 10) decades.
func (q *Quantity) OnScale(v Value) (x, plus, minus float64) {
	x, plus, minus = v.X, *v.Plus, *v.Minus
	if q.Scale == Log {
		return math.Log10(x), decades(plus, x), decades(minus, x)
	}
	return x, plus, minus
}
