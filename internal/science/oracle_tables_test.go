package science_test

import (
	"brenner/internal/textnorm"

	"fmt"
	"slices"
	"strings"

	"brenner/internal/quantity"
)

// normal is a label as it is compared (SCIENCE 4, derived).
func normal(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(textnorm.NFKC(text))), " ")
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") {
		text = text[:len(text)-1]
	}
	return strings.TrimSpace(text)
}

// expects reports whether a text is an expected outcome.
func expects(text string) bool {
	return !slices.Contains([]string{"", "-", "?", "n/a", "indeterminate"}, normal(text))
}

// active are the active hypotheses, by number.
func (s study) active() []int {
	var list []int
	last := 0
	dead := map[int]bool{}
	for _, l := range s.letters {
		for _, a := range l.acts {
			if a.kind == 'H' {
				last = max(last, a.number)
				dead[a.number] = dead[a.number] || a.op == "KILL"
			}
		}
	}
	for n := 1; n <= last; n++ {
		if !dead[n] {
			list = append(list, n)
		}
	}
	return list
}

// quantity is what a test measures; nil if its outcomes are labels, or it is not there.
func (s study) quantity(test int) *ruler {
	var q *ruler
	dead := false
	for _, l := range s.letters {
		for _, a := range l.acts {
			if a.kind == 'T' && a.number == test {
				dead = dead || a.op == "KILL"
				if a.quantity != nil && !dead {
					q = a.quantity
				}
			}
		}
	}
	return q
}

// derived are the labels that the cells of a test give.
func (s study) derived(test int) []string {
	var list []string
	cells := s.outcomes(test)
	for _, h := range s.active() {
		if text, there := cells[world(h)]; there && expects(text) && !slices.Contains(list, normal(text)) {
			list = append(list, normal(text))
		}
	}
	return list
}

// placed reports whether a result says something that its test has a place for: a label, a value with its error, or
// unforeseen. A value counts where its test was added in the same message, too: it has nothing to move then.
func (s study) placed(f finding) bool {
	then := s.before(f.test)
	r := f.run()
	switch {
	case r.unforeseen != "":
		return true
	case r.value != "":
		v, err := quantity.ParseValue(r.value)
		return err == nil && v.HasError() && s.quantity(f.test) != nil
	case r.outcome != "":
		return s.quantity(f.test) == nil && slices.Contains(then.derived(f.test), normal(r.outcome))
	}
	return false
}

// world is the name of a hypothesis by its number; 0 is none of them.
func world(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("H%d", n)
}
