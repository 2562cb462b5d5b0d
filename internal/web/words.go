package web

import (
	"time"
	"unicode"
	"unicode/utf8"

	"brenner/internal/protocol"
)

// timeOf reads what view models carry: a time, or a time as messages write it.
func timeOf(value any) (time.Time, bool) {
	switch v := value.(type) {
	case time.Time:
		return v, !v.IsZero()
	case string:
		t, err := time.Parse(time.RFC3339, v)
		return t, err == nil
	case *string:
		if v != nil {
			return timeOf(*v)
		}
	}
	return time.Time{}, false
}

// ago says how long something has been, or will take, in one unit.
func ago(value any, now time.Time) string {
	t, ok := timeOf(value)
	if !ok {
		return ""
	}
	d := now.Sub(t)
	if d < 0 {
		return "in " + span(-d)
	}
	if d < 10*time.Second {
		return "just now"
	}
	return span(d) + " ago"
}

func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return protocol.Plural(int(d/time.Second), "second")
	case d < time.Hour:
		return protocol.Plural(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return protocol.Plural(int(d/time.Hour), "hour")
	default:
		return protocol.Plural(int(d/(24*time.Hour)), "day")
	}
}

// stamp is a time in full, for a tooltip and for machines.
func stamp(value any) string {
	t, ok := timeOf(value)
	if !ok {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// short cuts a text to a number of characters, at most.
func short(n int, text string) string { return protocol.Fit(text, n) }

// initials are the capitals of a name such as BlueLake, for its mark.
func initials(name string) string {
	var out []rune
	for _, r := range name {
		if unicode.IsUpper(r) && len(out) < 2 {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		r, _ := utf8.DecodeRuneInString(name)
		out = append(out, unicode.ToUpper(r))
	}
	return string(out)
}
