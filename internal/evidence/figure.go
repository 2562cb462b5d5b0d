package evidence

import (
	"math"
	"strconv"
	"strings"

	"brenner/internal/artifact"
)

// Figure is a number that a text gives beside a citation, outside quotations (SCIENCE 1, EV-N01).
type Figure struct {
	Text      string // as written
	Offset    int    // in the text it was found in
	Citations []artifact.Citation
	value     quantity
}

// quantity is the size of a number, and to how many digits it is given. A comma may part thousands or decimals, so that
// a number may have two values.
type quantity struct {
	values [2]float64
	digits [2]int
	n      int
}

// parseQuantity reads a number in normal form: signs, digits with points and commas, a power.
func parseQuantity(text string) quantity {
	text = strings.TrimLeft(text, "±<>≤≥~≈+-")
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == '.' || text[end] == ',') {
		end++
	}
	digits, rest := text[:end], text[end:]
	power, base := 0.0, ""
	if e, ok := strings.CutPrefix(rest, "^"); ok {
		p, err := strconv.Atoi(strings.TrimRight(e, "%‰°′"))
		if err != nil || p < -300 || p > 300 {
			return quantity{}
		}
		power, base = float64(p), digits
	} else if len(rest) > 1 && rest[0]|0x20 == 'e' {
		if p, err := strconv.Atoi(rest[1:]); err == nil && p >= -300 && p <= 300 {
			digits += "e" + rest[1:]
		}
	}
	var q quantity
	for _, form := range readings(digits) {
		v, err := strconv.ParseFloat(form, 64)
		if err != nil {
			continue
		}
		n := significant(form)
		if base != "" {
			v, n = math.Pow(v, power), 1
		}
		q.values[q.n], q.digits[q.n] = v, n
		q.n++
	}
	return q
}

// readings returns the ways to read a number with commas: they part thousands, or they are a decimal point.
func readings(digits string) []string {
	if !strings.Contains(digits, ",") {
		return []string{digits}
	}
	forms := []string{strings.ReplaceAll(digits, ",", "")}
	if strings.Count(digits, ",") == 1 && !strings.Contains(digits[strings.IndexByte(digits, ','):], ".") {
		forms = append(forms, strings.Replace(strings.ReplaceAll(digits, ".", ""), ",", ".", 1))
	}
	return forms
}

// significant counts the digits that a number is given to.
func significant(form string) int {
	form, _, _ = strings.Cut(form, "e")
	whole, decimals, point := strings.Cut(form, ".")
	digits := strings.TrimLeft(whole+decimals, "0")
	if !point {
		digits = strings.TrimRight(digits, "0")
	}
	return max(1, len(digits))
}

// times returns the product of two quantities: 3.2 and 10^5.
func (q quantity) times(power quantity) quantity {
	for i := range q.n {
		q.values[i] *= power.values[0]
	}
	return q
}

// agrees tells whether one of two numbers rounds to the other at the digits of the coarser one, two at least.
func (q quantity) agrees(other quantity) bool {
	for i := range q.n {
		for k := range other.n {
			digits := max(2, min(q.digits[i], other.digits[k]))
			if rounded(q.values[i], digits) == rounded(other.values[k], digits) {
				return true
			}
		}
	}
	return false
}

func rounded(v float64, digits int) string { return strconv.FormatFloat(v, 'e', digits-1, 64) }

// figures are the numbers that are looked for in one text.
type figures struct {
	raw    string
	sought []soughtFigure
	last   quantity // of the number before
	end    int      // of it
	groups string   // the digits of the number before, if more may follow: 1 248 of 1 248 000
}

type soughtFigure struct {
	figure   int
	value    quantity
	from, to int // lines; to 0: anywhere
	found    bool
}

func (f *figures) wanted() bool { return f != nil && len(f.sought) > 0 }

// see compares a word of the text with the numbers that are looked for.
func (f *figures) see(a *atom) {
	if !f.wanted() || strings.IndexFunc(a.text[:min(len(a.text), 4)], func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
		return
	}
	q := parseQuantity(a.text)
	if q.n == 0 {
		return
	}
	f.compare(q, a)
	whole := joinGroups(f.groups, f.raw, f.end, a)
	if whole != "" {
		q = parseQuantity(whole)
		f.compare(q, a)
	}
	f.groups = leading(whole, a.text)
	if f.last.n > 0 && strings.HasPrefix(a.text, "10^") && a.start-f.end < 8 &&
		strings.Trim(f.raw[f.end:a.start], " \u00a0\u2009×x·*⋅∙") == "" {
		f.compare(f.last.times(q), a)
	}
	f.last, f.end = q, a.end
}

func (f *figures) compare(q quantity, a *atom) {
	for i := range f.sought {
		s := &f.sought[i]
		if !s.found && (s.to == 0 || s.from <= a.place.line && a.place.line <= s.to) && s.value.agrees(q) {
			s.found = true
		}
	}
}
