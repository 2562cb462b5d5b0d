package quantity

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shape says what kind of statement a spread is.
type Shape uint8

// The shapes.
const (
	Around   Shape = iota // 73 ± 1, 73 +2 -1, 73
	Interval              // 60–75
	Below                 // < 0.1
	Above                 // > 5
)

// Spread is a number with a spread. Around has its centre X and what it may be more (Plus) or less (Minus), 0 if that
// was not said; Interval lies from X to To; Below and Above have their bound in X.
type Spread struct {
	Shape       Shape
	X           float64
	Plus, Minus float64
	To          float64
	Unit        string // as written; empty if it was not
}

// ErrNotNumeric is the error for every text that is no number with a spread.
var ErrNotNumeric = errors.New("it is no number with a spread, such as 73 ± 1, 60–75 or < 0.1")

// maxText bounds what is read: no number is longer.
const maxText = 200

// Parse reads a number with a spread, and the unit behind it, if there is one.
func Parse(text string) (Spread, error) {
	text = strings.TrimSpace(strings.Map(anySpace, text))
	if text == "" || len(text) > maxText {
		return Spread{}, ErrNotNumeric
	}
	s, rest, ok := bound(text)
	if !ok {
		s, rest, ok = centred(text)
	}
	if !ok {
		return Spread{}, ErrNotNumeric
	}
	s.Unit = strings.Join(strings.Fields(rest), " ")
	if !isUnit(s.Unit) {
		return Spread{}, ErrNotNumeric
	}
	return s, nil
}

// anySpace makes one character of all that look like a space: editors put others between a number and its unit.
func anySpace(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	return r
}

// bound reads < 0.1 and > 5.
func bound(text string) (Spread, string, bool) {
	for shape, marks := range map[Shape][]string{Below: {"<", "≤"}, Above: {">", "≥"}} {
		if after, ok := cutAny(text, marks...); ok {
			x, rest, ok := number(strings.TrimLeft(after, " "))
			return Spread{Shape: shape, X: x}, rest, ok
		}
	}
	return Spread{}, text, false
}

// centred reads everything that begins with a number.
func centred(text string) (Spread, string, bool) {
	x, rest, ok := number(text)
	if !ok {
		return Spread{}, text, false
	}
	s := Spread{X: x}
	after := strings.TrimLeft(rest, " ")
	if sd, ok := cutAny(after, "±", "+/-", "+/−"); ok {
		s.Plus, rest, ok = unsigned(sd)
		s.Minus = s.Plus
		return s, rest, ok
	}
	if plus, ok := strings.CutPrefix(after, "+"); ok {
		return s.twoSided(plus)
	}
	if to, ok := intervalMark(after); ok {
		s.Shape = Interval
		s.To, rest, ok = number(strings.TrimLeft(to, " "))
		return s, rest, ok && s.X < s.To
	}
	return s, rest, true
}

// twoSided reads the 2 -1 of 73 +2 -1.
func (s Spread) twoSided(text string) (Spread, string, bool) {
	plus, rest, ok := unsigned(text)
	if !ok {
		return s, rest, false
	}
	sign, after := minus(strings.TrimLeft(rest, " "))
	if sign == "" {
		return s, rest, false
	}
	s.Plus = plus
	s.Minus, rest, ok = unsigned(after)
	return s, rest, ok
}

func unsigned(text string) (float64, string, bool) {
	text = strings.TrimLeft(text, " ")
	if sign, _ := minus(text); sign != "" {
		return 0, text, false
	}
	return number(text)
}

// intervalMark cuts what stands between the ends of an interval.
func intervalMark(text string) (rest string, ok bool) {
	if rest, ok = cutAny(text, "–", "..", "-"); ok {
		return rest, true
	}
	if rest, ok = strings.CutPrefix(text, "to "); ok {
		return rest, true
	}
	return text, false
}

// isUnit tells whether what stands behind a number can be its unit: no further number, sign or comparison.
func isUnit(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text == "" || !strings.ContainsRune("0123456789+-−–.,", first) && !strings.ContainsAny(text, "±≤≥<>=\x00")
}
