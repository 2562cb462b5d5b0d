package quantity

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// Value is what was measured: a number with its error, which may reach further up than down.
type Value struct {
	X     float64  `json:"x"`
	Plus  *float64 `json:"plus"`  // null: no error was said
	Minus *float64 `json:"minus"` // null: no error was said
	Unit  *string  `json:"unit"`
}

// HasError reports whether the value says its error, without which it is not counted.
func (v *Value) HasError() bool { return v.Plus != nil && v.Minus != nil }

// ErrNotValue is the error for every text that is no value.
var ErrNotValue = errors.New("a value is one number with its error, such as 73 ± 1 or 73 +2 -1")

// ParseValue reads x ± s or x +p -m. A number alone is a value without an error; intervals and bounds are none.
func ParseValue(text string) (Value, error) {
	s, err := Parse(text)
	if err != nil || s.Shape != Around {
		return Value{}, ErrNotValue
	}
	v := Value{X: s.X}
	if s.Unit != "" {
		v.Unit = &s.Unit
	}
	if s.Plus > 0 && s.Minus > 0 {
		v.Plus, v.Minus = &s.Plus, &s.Minus
	} else if s.Plus != 0 || s.Minus != 0 {
		return Value{}, ErrNotValue
	}
	return v, nil
}

// ReadValue reads the value of a result: the text of ParseValue, a number, or {x, plus, minus}, where sd says both.
func ReadValue(raw json.RawMessage) (Value, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"' {
		v, err := ParseValue(text)
		return v, err == nil
	}
	var x float64
	if json.Unmarshal(raw, &x) == nil && string(raw) != "null" {
		return Value{X: x}, true
	}
	return readObject(raw)
}

func readObject(raw json.RawMessage) (Value, bool) {
	var members map[string]json.RawMessage // a struct would take X for x
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return Value{}, false
	}
	var v Value
	var x, sd *float64
	for name, to := range map[string]**float64{"x": &x, "plus": &v.Plus, "minus": &v.Minus, "sd": &sd} {
		if json.Unmarshal(orNull(members[name]), to) != nil {
			return Value{}, false
		}
	}
	if json.Unmarshal(orNull(members["unit"]), &v.Unit) != nil || x == nil {
		return Value{}, false
	}
	v.X = *x
	if sd != nil && v.Plus == nil && v.Minus == nil {
		v.Plus, v.Minus = sd, sd
	}
	if v.Unit != nil && *v.Unit == "" {
		v.Unit = nil
	}
	return v, v.sound()
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// sound tells whether both errors are said and above 0, or neither is said.
func (v *Value) sound() bool {
	if (v.Plus == nil) != (v.Minus == nil) {
		return false
	}
	return v.Plus == nil || *v.Plus > 0 && *v.Minus > 0
}

// Below reports whether the value lies below a number by twice its error, and Above whether it lies above it.
func (v *Value) Below(bound float64) bool { return v.HasError() && v.X+2*(*v.Plus) < bound }

// Above reports whether the value lies above a number by twice its error.
func (v *Value) Above(bound float64) bool { return v.HasError() && v.X-2*(*v.Minus) > bound }

// Equal reports whether two values say the same.
func (v *Value) Equal(w *Value) bool {
	same := func(a, b *float64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return v.X == w.X && same(v.Plus, w.Plus) && same(v.Minus, w.Minus)
}

// decades is an error s at x on a scale of decades.
func decades(s, x float64) float64 { return s / x / math.Ln10 }

// String writes the value as ParseValue reads it.
func (v *Value) String() string {
	text := format(v.X)
	if v.HasError() {
		text += " +" + format(*v.Plus) + " -" + format(*v.Minus)
	}
	if v.Unit != nil {
		text += " " + *v.Unit
	}
	return text
}

// Text writes the value for a reader: 73 ± 1 where both errors are the same.
func (v *Value) Text() string {
	if !v.HasError() || *v.Plus != *v.Minus {
		return v.String()
	}
	text := format(v.X) + " ± " + format(*v.Plus)
	if v.Unit != nil {
		text += " " + *v.Unit
	}
	return text
}

func format(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
