package arithmetic

import (
	"math"
	"strconv"
	"strings"
)

// Wrong is an equation that does not hold.
type Wrong struct {
	Text        string // as written
	Left, Right string // what its sides come to
}

// Check judges the equations of a text: both sides are numbers and operations on them, and nothing else. A chain is judged
// pair by pair. It takes linear time.
func Check(text string) []Wrong {
	if !strings.ContainsAny(text, "=≈~") {
		return nil
	}
	var found []Wrong
	for _, clause := range clauses(text) {
		found = append(found, chain(clause)...)
	}
	return found
}

// clauses parts a text where no equation goes on: at line ends, semicolons and colons, and at commas and points before
// a space.
func clauses(text string) []string {
	var found []string
	start := 0
	for i := range len(text) {
		spaced := i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n'
		if b := text[i]; b == '\n' || b == ';' || b == ':' || (b == ',' || b == '.') && spaced {
			found = append(found, text[start:i])
			start = i + 1
		}
	}
	return append(found, text[start:])
}

// relation is a sign between two sides.
type relation uint8

const (
	none    relation = iota
	equal            // =
	about            // ≈, ~
	another          // ≠, ≤, →: the sides beside it are no equation
)

// side is a part of a clause between two signs.
type side struct {
	text   string
	before relation
	value  expression
	ok     bool
}

// chain judges the equations of a clause.
func chain(clause string) []Wrong {
	sides := split(clause)
	var found []Wrong
	for i := range sides {
		sides[i].value, sides[i].ok = parse(sides[i].text)
		if i == 0 || !sides[i].ok || !sides[i-1].ok {
			continue
		}
		if a, b := &sides[i-1], &sides[i]; !holds(&a.value, &b.value, b.before) {
			sign := map[relation]string{equal: " = ", about: " ≈ "}[b.before]
			found = append(found, Wrong{strings.TrimSpace(a.text) + sign + strings.TrimSpace(b.text), format(a.value.value),
				format(b.value.value)})
		}
	}
	return found
}

// split parts a clause at its signs. Signs beside each other are one: = ~ says about.
func split(clause string) []side {
	sides := []side{{}}
	start := 0
	for i, r := range clause {
		sign := none
		switch r {
		case '=':
			sign = equal
		case '≈', '~', '≅', '≃', '∼':
			sign = about
		case '<', '>', '≤', '≥', '≠', '!', '→', '⇒', '≪', '≫', '±':
			sign = another
		}
		if sign == none {
			continue
		}
		last := &sides[len(sides)-1]
		last.text = clause[start:i]
		start = i + len(string(r))
		if strings.TrimSpace(last.text) == "" && len(sides) > 1 {
			last.before = max(last.before, sign)
			continue
		}
		sides = append(sides, side{before: sign})
	}
	sides[len(sides)-1].text = clause[start:]
	return sides
}

// The tolerances of SCIENCE 1: a part of the larger side, and a factor for what is only about right.
const (
	tolerance = 0.05
	factor    = 2
)

// holds tells whether two sides agree.
func holds(a, b *expression, r relation) bool {
	if r == another || a.clock || b.clock || !finite(a.value) || !finite(b.value) || foreign(a, b) {
		return true
	}
	x, y, digit := a.value, b.value, max(a.digit, b.digit)
	if agree(x, y, digit, r) {
		return true
	}
	if !a.unit && !b.unit || x == 0 || y == 0 {
		return false
	}
	power := math.Round(math.Log10(math.Abs(x / y)))
	for _, p := range []float64{power - 1, power, power + 1} {
		if agree(x, y*math.Pow(10, p), digit*math.Pow(10, min(p, 0)), r) {
			return true
		}
	}
	return false
}

func agree(x, y, digit float64, r relation) bool {
	off := math.Abs(x - y)
	if off <= tolerance*max(math.Abs(x), math.Abs(y)) || off <= digit/2*(1+1e-9) {
		return true
	}
	return r == about && x*y > 0 && x/y <= factor && y/x <= factor
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
