package arithmetic_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/arithmetic"
)

// SCIENCE 1, NUM-001.
func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"2 + 2 = 4":                           "",
		"2 + 2 = 5":                           "2 + 2 = 5",
		"500/10 = 50 cells":                   "",
		"500 / 10 = 60":                       "500 / 10 = 60",
		"2^10 = 1024":                         "",
		"2^10 = 1,024":                        "",
		"2^10 = 10240":                        "2^10 = 10240",
		"3 × 10⁵ = 300000":                    "",
		"3 × 10⁵ = 3e5 = 3000":                "3e5 = 3000",
		"3*4 = 12 ≈ 20":                       "",
		"3*4 = 12 ≈ 25":                       "12 ≈ 25",
		"100/3 = 33":                          "",
		"100/3 = 34":                          "",
		"100/3 = 36":                          "100/3 = 36",
		"2/3 = 1":                             "", // half a unit of the last digit
		"2/3 = 1.0":                           "2/3 = 1.0",
		"√16 = 4":                             "",
		"√(9 + 16) = 6":                       "√(9 + 16) = 6",
		"−5 + 3 = −2":                         "",
		"5 ÷ 2 · 4 = 10":                      "",
		"(1 + 2) × 3 = 10":                    "(1 + 2) × 3 = 10",
		"5 km = 5000 m":                       "",
		"5 km = 6000 m":                       "5 km = 6000 m",
		"20 % × 50 = 10":                      "",
		"20 % × 50 = 12":                      "20 % × 50 = 12",
		"90 min = 1.5 h":                      "",
		"2 weeks = 14 d":                      "",
		"1e300 × 1e300 = 5":                   "",
		"10/0 = 3":                            "",
		"1 mol = 6.022e23 molecules":          "",
		"D = 10 µm²/s":                        "",
		"x = 5 = 7":                           "5 = 7",
		"we get 3 + 4 = 8":                    "", // words are no numbers
		"so: 3 + 4 = 8":                       "3 + 4 = 8",
		"3 + 4 = 8 in all":                    "",
		"2 pi = 6.28":                         "",
		"2 n = 4":                             "",
		"3 + 4 ≠ 8":                           "",
		"3 + 4 >= 8":                          "",
		"3 + 4 = ~8":                          "",
		"3 + 4 =~ 15":                         "3 + 4 ≈ 15",
		"1,5 × 2 = 3":                         "",
		"1.000,5 = 3":                         "",
		"First 3 = 3.\n4 = 9; 5 = 5, 6 = 6.":  "4 = 9",
		"100 µm / 5 µm/s = 20 s":              "",
		"100 µm / 5 µm/s = 30 s":              "100 µm / 5 µm/s = 30 s",
		strings.Repeat("(", 1000) + "1 = 2":   "",
		strings.Repeat("-", 100000) + "1 = 2": "",
		"1 cell per embryo × 3 = 3":           "",
		"0.1 + 0.2 = 0.3":                     "",
		"0 = 0.3":                             "",
		"0 = 1":                               "0 = 1",
		"10^-3 = 0.001":                       "",
		"10⁻³ = 0.01":                         "10⁻³ = 0.01",
		"see version 1.2.3 = 4":               "",
		"4 = 5 is wrong, 6 = 7, as is 8=9":    "6 = 7",
	} {
		var got []string
		for _, w := range arithmetic.Check(text) {
			got = append(got, w.Text)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
}

// A sum that comes out holds, and one that is off by a third does not.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(10, 1e6).Draw(t, "a"), rapid.Float64Range(10, 1e6).Draw(t, "b")
		op := rapid.SampledFrom([]string{"+", "×", "/", "*"}).Draw(t, "op")
		v := map[string]float64{"+": a + b, "×": a * b, "*": a * b, "/": a / b}[op]
		f := func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
		if wrong := arithmetic.Check(f(a) + " " + op + " " + f(b) + " = " + f(v)); len(wrong) != 0 {
			t.Fatalf("%+v", wrong)
		}
		if wrong := arithmetic.Check(f(a) + " " + op + " " + f(b) + " = " + f(v*4/3)); len(wrong) != 1 {
			t.Fatalf("%v %s %v = %v holds", a, op, b, v*4/3)
		}
	})
}

// Nothing panics, and what does not hold has two sides that differ.
func FuzzCheck(f *testing.F) {
	f.Add("2^10 = 1024 ≈ 1e3; √(4) = −2 km/h, 5 % = ~3")
	f.Add("((1)) = (2) = 3⁻⁵ per x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range arithmetic.Check(text) {
			a, errA := strconv.ParseFloat(w.Left, 64)
			b, errB := strconv.ParseFloat(w.Right, 64)
			if errA != nil || errB != nil || math.IsInf(a, 0) || math.IsNaN(b) || a == b {
				t.Fatalf("%+v", w)
			}
		}
	})
}
