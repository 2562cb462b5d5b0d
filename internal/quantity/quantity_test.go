package quantity_test

import (
	"math"
	"testing"

	"brenner/internal/quantity"
)

func TestParse(t *testing.T) {
	around := func(x, plus, minus float64) quantity.Spread {
		return quantity.Spread{X: x, Plus: plus, Minus: minus}
	}
	interval := func(a, b float64) quantity.Spread {
		return quantity.Spread{Shape: quantity.Interval, X: a, To: b}
	}
	for text, want := range map[string]quantity.Spread{
		"73":                       around(73, 0, 0),
		" 73 ± 1 ":                 around(73, 1, 1),
		"73±1":                     around(73, 1, 1),
		"73 +/- 1":                 around(73, 1, 1),
		"73 +2 -1":                 around(73, 2, 1),
		"73 +2 −1":                 around(73, 2, 1),
		"-2e-6":                    around(-2e-6, 0, 0),
		"−2e-6":                    around(-2e-6, 0, 0),
		"1.5×10^-6":                around(1.5e-6, 0, 0),
		"1.5×10⁻⁶":                 around(1.5e-6, 0, 0),
		"10⁻⁶":                     around(1e-6, 0, 0),
		"10^3 ± 10^2":              around(1000, 100, 100),
		"60–75":                    interval(60, 75),
		"60-75":                    interval(60, 75),
		"60..75":                   interval(60, 75),
		"60 to 75":                 interval(60, 75),
		"−5 – −3":                  interval(-5, -3),
		"-5--3":                    interval(-5, -3),
		"1e-6-2e-6":                interval(1e-6, 2e-6),
		"< 0.1":                    {Shape: quantity.Below, X: 0.1},
		"≤0.1":                     {Shape: quantity.Below, X: 0.1},
		"> 5":                      {Shape: quantity.Above, X: 5},
		"≥ 5 km":                   {Shape: quantity.Above, X: 5, Unit: "km"},
		"73 ± 1 km/s/Mpc":          {X: 73, Plus: 1, Minus: 1, Unit: "km/s/Mpc"},
		"5 %":                      {X: 5, Unit: "%"},
		"2 eV":                     {X: 2, Unit: "eV"},
		"3 x rays":                 {X: 3, Unit: "x rays"},
		"73 ± 1 s−1":               {X: 73, Plus: 1, Minus: 1, Unit: "s−1"},
		"60\u00a0±\u20092\u202fµm": {X: 60, Plus: 2, Minus: 2, Unit: "µm"},
	} {
		got, err := quantity.Parse(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "about 73", "73 ± ", "73 ± -1", "73 +2", "73 +2 +1", "75-60", "60-60", "60–", "< ", "<> 3", "up", "1e999", "73 ± 1 ± 2",
		"73 = 4", "3,5", "NaN", "Inf", "0x10 = 3", "5.", "60–70–80", "60 − 70", "60 – ", "5 –3x",
	} {
		if got, err := quantity.Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestValues(t *testing.T) {
	for raw, want := range map[string]string{
		`"73 ± 1"`:                       "73 +1 -1",
		`"73 +2 -1"`:                     "73 +2 -1",
		`{"x": 73, "sd": 1}`:             "73 +1 -1",
		`{"x": 73, "plus": 2,"minus":1}`: "73 +2 -1",
		`73`:                             "73",
		`"73"`:                           "73",
		`{"x": 73}`:                      "73",
		`"60-75"`:                        "none",
		`"< 5"`:                          "none",
		`{"x": "73"}`:                    "none",
		`{"X": 73}`:                      "none",
		`{"x": 73, "plus": 1}`:           "none",
		`{"x": 73, "sd": 0}`:             "none",
		`{"x": 73, "sd": -1}`:            "none",
		`"73 ± 0"`:                       "73",
		`null`:                           "none",
		`true`:                           "none",
		`[73]`:                           "none",
		``:                               "none",
	} {
		got := "none"
		if v, ok := quantity.ReadValue([]byte(raw)); ok {
			got = v.String()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
}

func TestQuantity(t *testing.T) {
	q, err := quantity.Read([]byte(`{"unit": "km/s/Mpc", "range": [50, 100], "sd": 2, "name": "H0"}`))
	if err != nil || q.Unit != "km/s/Mpc" || q.Low != 50 || q.High != 100 || q.SD != 2 || q.Scale != quantity.Linear {
		t.Fatalf("%+v, %v", q, err)
	}
	for _, raw := range []string{
		`7`, `{}`, `{"range": [1]}`, `{"range": [2, 1]}`, `{"range": [1, 1]}`, `{"range": [0, 1], "scale": "log"}`,
		`{"range": [0, 1], "scale": "x"}`,
		`{"range": [0, 1], "sd": 0}`, `{"range": [0, 1], "other": 1}`, `{"range": [0, null]}`, `{"range": [0, 1], "unit": 3}`,
		`{"range": ["0", 1]}`,
	} {
		if _, err := quantity.Read([]byte(raw)); err == nil {
			t.Errorf("%s is a quantity", raw)
		}
	}
	for unit, written := range map[string]string{"µm": "μm", "s⁻¹": "s-1", "s-1": "s−1", "m  s": "m s", "Å": "A\u030a"} {
		if q := (quantity.Quantity{High: 1, Unit: unit}); !q.InUnit(written) {
			t.Errorf("%s is no %s", written, unit)
		}
	}
	if q := (quantity.Quantity{High: 1, Unit: "mW"}); q.InUnit("MW") || !q.InUnit("") {
		t.Error("a megawatt is a milliwatt")
	}
	if _, err := q.Spread("73 ± 1 m"); err == nil {
		t.Error("another unit is read")
	}
	if _, err := q.Spread("73 ± 1 km/s/Mpc"); err != nil {
		t.Error(err)
	}
	log, err := quantity.Read([]byte(`{"range": [1e-9, 1], "scale": "log"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Spread("-1 to 2"); err == nil {
		t.Error("a log scale has a negative number")
	}
	v, _ := quantity.ParseValue("100 ± 10")
	if x, plus, _ := log.OnScale(v); x != 2 || math.Abs(plus-0.1/math.Ln10) > 1e-15 {
		t.Errorf("%v ± %v decades", x, plus)
	}
	bare, _ := quantity.ParseValue("73")
	if q.Check(bare) == nil {
		t.Error("a value without its error is taken")
	}
}

// Whatever is read is finite and ordered, and reading never fails otherwise than by an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"73 ± 1", "73 +2 -1", "60–75", "1.5×10⁻⁶", "< 0.1 m", "-5--3", "10^3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := quantity.Parse(text)
		if err != nil {
			return
		}
		for _, x := range []float64{s.X, s.To, s.Plus, s.Minus} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%q is %+v", text, s)
			}
		}
		if s.Plus < 0 || s.Minus < 0 || s.Shape == quantity.Interval && s.X >= s.To {
			t.Errorf("%q is %+v", text, s)
		}
		if s.Shape == quantity.Around {
			if v, err := quantity.ParseValue(text); err == nil {
				again, err := quantity.ParseValue(v.String())
				if err != nil || !again.Equal(&v) {
					t.Errorf("%q prints as %q", text, v.String())
				}
			}
		}
	})
}

// TestErrorsBesideVastValues: an error that is nothing beside its value on a scale of decades is still one, so that who expected the
// value is believed, and who expected another is not.
func TestErrorsBesideVastValues(t *testing.T) {
	q, err := quantity.Read([]byte(`{"range": [1e-300, 1.5e308], "scale": "log"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []string{"1e300", "1.2e308", "1e-300"} {
		v, err := quantity.ParseValue(x + " ± 1e-300")
		if err != nil {
			t.Fatal(err)
		}
		hit, _ := q.Spread(x)
		other, _ := q.Spread("1e200")
		m := q.Measured(v)
		if h, o := q.Density(hit, m), q.Density(other, m); h < 0.9 || o > 1e-300 || math.IsInf(h, 0) {
			t.Errorf("%s: who expected it has the density %v, who expected 1e200 %v", x, h, o)
		}
		if z := q.Distance(hit, m); z != 0 {
			t.Errorf("%s lies %v from what was expected", x, z)
		}
	}
}
