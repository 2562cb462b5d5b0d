package quantity

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/textnorm"
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

// FormError is what is wrong with the form of a quantity.
type FormError struct {
	Member  string // of the object; empty: the object itself
	Message string
}

func (e *FormError) Error() string { return e.Message }

// Read reads a test's field quantity. The error of another form is a FormError.
func Read(raw []byte) (Quantity, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return Quantity{}, &FormError{"", "a quantity is an object with a range"}
	}
	q := Quantity{Scale: Linear}
	for _, name := range slices.Sorted(maps.Keys(members)) { // of several faults always the same is told
		if wrong := q.read(name, members[name]); wrong != "" {
			return Quantity{}, &FormError{name, wrong}
		}
	}
	if members["range"] == nil {
		return Quantity{}, &FormError{"", "a quantity has a range: [lo, hi]"}
	}
	if q.Scale == Log && q.Low <= 0 {
		return Quantity{}, &FormError{"range", "on a log scale the range lies above 0"}
	}
	return q, nil
}

// read takes a member of the object. It says what is wrong with it; empty: nothing.
func (q *Quantity) read(name string, value json.RawMessage) string {
	switch name {
	case "name":
		return text(value, &q.Name, "the name of a quantity is a text")
	case "unit":
		return text(value, &q.Unit, "the unit of a quantity is a text")
	case "scale":
		return q.readScale(value)
	case "sd":
		if json.Unmarshal(value, &q.SD) != nil || q.SD <= 0 {
			return "sd is a number above 0"
		}
	case "range":
		var ends []*float64
		if json.Unmarshal(value, &ends) != nil || len(ends) != 2 || ends[0] == nil || ends[1] == nil || *ends[0] >= *ends[1] {
			return "range is two numbers, the lower one first"
		}
		q.Low, q.High = *ends[0], *ends[1]
	default:
		return "a quantity has name, unit, range, scale and sd, and nothing else"
	}
	return ""
}

func (q *Quantity) readScale(value json.RawMessage) string {
	var scale *Scale
	if json.Unmarshal(value, &scale) != nil || scale == nil || *scale != Linear && *scale != Log {
		return "scale is linear or log"
	}
	q.Scale = *scale
	return ""
}

func text(value json.RawMessage, to *string, wrong string) string {
	var text *string
	if json.Unmarshal(value, &text) != nil || text == nil {
		return wrong
	}
	*to = strings.Join(strings.Fields(*text), " ")
	return ""
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
	return s, q.fits(s)
}

// fits says what keeps a spread from being one of the quantity: a number that a log scale does not have, or a bound that leaves
// nothing of the range.
func (q *Quantity) fits(s Spread) error {
	switch {
	case q.Scale == Log && (s.X <= 0 || s.Shape == Interval && s.To <= 0):
		return ErrNotPositive
	case s.Shape == Below && s.X <= q.Low || s.Shape == Above && s.X >= q.High:
		return ErrEmpty
	}
	return nil
}

// ErrEmpty is the error for a bound outside the range.
var ErrEmpty = errors.New("nothing of the range is left: the interval is empty")

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

// InUnit tells whether a unit, as it was written, is the quantity's: signs that look alike are one, so that s⁻¹ is s-1 and the two
// characters for a µ are one. None is the quantity's own.
func (q *Quantity) InUnit(written string) bool {
	return written == "" || plain(written) == plain(q.Unit)
}

// plain is a unit without the ways in which keyboards differ. Case counts: mW is not MW.
func plain(unit string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(textnorm.NFKC(unit), "−", "-")), " ")
}

func (q *Quantity) unit(written string) error {
	switch {
	case q.InUnit(written):
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

// Ends are the ends of the range on the quantity's scale.
func (q *Quantity) Ends() (low, high float64) { return q.onScale(q.Low), q.onScale(q.High) }

// Reach is where a spread lies on the quantity's scale: one error to each side of its centre, or the interval, which has none.
func (q *Quantity) Reach(s Spread) (low, mid, high float64, centred bool) {
	if a, b, ok := q.interval(s); ok {
		return a, (a + b) / 2, b, false
	}
	mid, minus, plus := q.onScale(s.X), s.Minus, s.Plus
	if q.Scale == Log {
		minus, plus = decades(minus, s.X), decades(plus, s.X)
	}
	return mid - minus, mid, mid + plus, true
}

// Between says which values lie between two places on the quantity's scale: under 69, 69 to 71, over 71.
func (q *Quantity) Between(from, to float64) string {
	low, high := q.Ends()
	first, last := from <= low+1e-9*(high-low), to >= high-1e-9*(high-low)
	switch {
	case first && last:
		return "anything"
	case first:
		return "under " + q.round(to)
	case last:
		return "over " + q.round(from)
	}
	return q.round(from) + " to " + q.round(to)
}

// round writes a place on the scale as a value, with the digits that a two-hundredth of the range has.
func (q *Quantity) round(at float64) string {
	if q.Scale == Log {
		return strconv.FormatFloat(math.Pow(10, at), 'g', 2, 64)
	}
	digits := max(0, int(math.Ceil(-math.Log10(q.Span()/200))))
	return strconv.FormatFloat(at, 'f', digits, 64)
}

// Words describe the quantity for a reader.
func (q *Quantity) Words() string {
	text := strconv.FormatFloat(q.Low, 'g', -1, 64) + " to " + strconv.FormatFloat(q.High, 'g', -1, 64)
	if q.Unit != "" {
		text += " " + q.Unit
	}
	if q.Name != "" {
		text = q.Name + ", " + text
	}
	if q.Scale == Log {
		text += ", on a logarithmic scale"
	}
	if q.SD > 0 {
		text += "; planned error " + strconv.FormatFloat(q.SD, 'g', -1, 64)
		if q.Scale == Log {
			text += " decades"
		}
	}
	return text
}
