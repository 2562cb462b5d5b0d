package literature

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

// Date is when a work appeared: a day, month or year, or a range of two; else words.
type Date struct {
	Parts   [][]int `json:"date-parts,omitempty"`
	Literal string  `json:"literal,omitempty"`
}

func (d *Date) empty() bool { return len(d.Parts) == 0 && d.Literal == "" }

// Year is the year of a date, 0 if it has none.
func (d *Date) Year() int {
	if d == nil || len(d.Parts) == 0 {
		return 0
	}
	return d.Parts[0][0]
}

// ISO is the first day, month or year of a date as ISO 8601 writes it; empty if it has none.
func (d *Date) ISO() string {
	if d == nil || len(d.Parts) == 0 {
		return ""
	}
	return iso(d.Parts[0], "-")
}

// newDate makes a date of numbers, as far as they are one: year, month, day.
func newDate(parts ...[]int) *Date {
	d := &Date{}
	for _, p := range parts[:min(len(parts), 2)] {
		if p = validParts(p); p == nil {
			break
		}
		d.Parts = append(d.Parts, p)
	}
	return d
}

func validParts(p []int) []int {
	if len(p) == 0 || p[0] < 1 || p[0] > 9999 {
		return nil
	}
	n := 1
	if len(p) > 1 && p[1] >= 1 && p[1] <= 12 {
		n++
		if len(p) > 2 && p[2] >= 1 && p[2] <= 31 {
			n++
		}
	}
	return slices.Clone(p[:n])
}

var (
	isoDate  = pattern.Lazy(`^([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?/*(?:[T ][0-9].*)?$`)
	wordDate = pattern.Lazy(`^([0-9]{4})\s+([A-Za-z]{3,9})\.?(?:\s+([0-9]{1,2}))?$`)
	dayFirst = pattern.Lazy(`^(?:([0-9]{1,2})\.?\s+)?([A-Za-z]{3,9})\.?,?\s+([0-9]{4})$`)
)

// parseDate reads a date as files write it; other words stay words.
func parseDate(text string) *Date {
	text = clean(text)
	if text == "" || len(text) > maxText {
		return nil
	}
	if first, last, isRange := cutRange(text); isRange {
		if a, b := parseDay(first), parseDay(last); a != nil && b != nil {
			return newDate(a, b)
		}
	}
	if day := parseDay(text); day != nil {
		return newDate(day)
	}
	return &Date{Literal: text}
}

// cutRange cuts the form 2010-06/2010-07 of biblatex. 2010/06 is a month.
func cutRange(text string) (first, last string, ok bool) {
	first, last, ok = strings.Cut(text, "/")
	return first, last, ok && len(last) >= 4 && len(first) >= 4
}

func parseDay(text string) []int {
	if m := isoDate().FindStringSubmatch(text); m != nil {
		return validParts(numbers(m[1:]))
	}
	if m := wordDate().FindStringSubmatch(text); m != nil && month(m[2]) > 0 {
		return validParts(append(numbers(m[1:2]), append([]int{month(m[2])}, numbers(m[3:])...)...))
	}
	if m := dayFirst().FindStringSubmatch(text); m != nil && month(m[2]) > 0 {
		return validParts(append(numbers(m[3:]), append([]int{month(m[2])}, numbers(m[1:2])...)...))
	}
	return nil
}

func numbers(texts []string) []int {
	var list []int
	for _, t := range texts {
		n, err := strconv.Atoi(t)
		if err != nil {
			break
		}
		list = append(list, n)
	}
	return list
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// month reads a month by its number or the first three letters of its English name; 0: it is none.
func month(text string) int {
	text = strings.ToLower(strings.Trim(text, " .{}"))
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= 12 {
		return n
	}
	if len(text) < 3 || len(text) > 9 {
		return 0
	}
	return slices.Index(months, text[:3]) + 1
}

// iso writes the parts of a date: 2010, 2010-06, 2010-06-03.
func iso(parts []int, separator string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%04d", parts[0])
	for _, n := range parts[1:] {
		fmt.Fprintf(&text, "%s%02d", separator, n)
	}
	return text.String()
}
