package artifact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Value is what a field holds: Text, Flag, List, Map, Score, References or JSON. A nil
// Value is an absent field, which is not the same as an empty one. Values are immutable.
type Value interface{ isValue() }

type (
	// Text is a string.
	Text string
	// Flag is true or false.
	Flag bool
	// List is a list of strings in the order in which they were united.
	List []string
	// Map is a map of strings, sorted by CompareKeys.
	Map []Pair
	// Score is a test's score, part by part, the named parts first.
	Score []Part
	// References are links to items of other sessions.
	References []Reference
	// JSON is any JSON value as it was written, without insignificant space.
	JSON string
)

// Pair is an entry of a Map.
type Pair struct{ Key, Text string }

// Part is a part of a score; Number is a JSON number as it was written.
type Part struct{ Name, Number string }

// Reference links an item to one of another session.
type Reference struct {
	Session  string
	Item     string
	Relation string
	Extra    JSON // an object with further keys as written; empty if there are none
}

// Path names one reference of an item's list, to record where it came from. Two that differ in
// further keys only are the same reference.
func (r Reference) Path() string {
	return ReferencesField + "." + r.Session + "#" + r.Item + " " + r.Relation
}

func (Text) isValue()       {}
func (Flag) isValue()       {}
func (List) isValue()       {}
func (Map) isValue()        {}
func (Score) isValue()      {}
func (References) isValue() {}
func (JSON) isValue()       {}

// Equal tells whether two values are the same, absent ones included.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case List:
		b, ok := b.(List)
		return ok && slices.Equal(a, b)
	case Map:
		b, ok := b.(Map)
		return ok && slices.Equal(a, b)
	case Score:
		b, ok := b.(Score)
		return ok && slices.Equal(a, b)
	case References:
		b, ok := b.(References)
		return ok && slices.Equal(a, b)
	default: // Text, Flag, JSON are comparable; so is b, or the dynamic types differ
		switch b.(type) {
		case Text, Flag, JSON:
			return a == b
		}
		return false
	}
}

// NewMap sorts pairs, which are its own from now on, into a Map. Keys are unique.
func NewMap(pairs ...Pair) Map {
	slices.SortFunc(pairs, func(a, b Pair) int { return CompareKeys(a.Key, b.Key) })
	return pairs
}

// Get returns the text under a key.
func (m Map) Get(key string) (string, bool) {
	i, ok := m.find(key)
	if !ok {
		return "", false
	}
	return m[i].Text, true
}

func (m Map) find(key string) (int, bool) {
	return slices.BinarySearchFunc(m, key, func(p Pair, k string) int { return CompareKeys(p.Key, k) })
}

// Set returns the map with a key set.
func (m Map) Set(key, text string) Map {
	i, ok := m.find(key)
	if !ok {
		return slices.Insert(slices.Clip(m), i, Pair{key, text})
	}
	out := slices.Clone(m)
	out[i].Text = text
	return out
}

// Without returns the map with a key cleared.
func (m Map) Without(key string) Map {
	i, ok := m.find(key)
	if !ok {
		return m
	}
	return slices.Delete(slices.Clone(m), i, i+1)
}

// CompareKeys orders map keys as a reader expects: item ids by prefix and number (H2 before
// H10), then everything else by bytes.
func CompareKeys(a, b string) int {
	_, as, an, aok := ParseItemID(a)
	_, bs, bn, bok := ParseItemID(b)
	switch {
	case aok && bok:
		return cmp.Or(cmp.Compare(as, bs), cmp.Compare(an, bn))
	case aok:
		return -1
	case bok:
		return 1
	}
	return strings.Compare(a, b)
}

// NewScore orders parts, which are its own from now on: the named ones first, then others by name.
func NewScore(parts ...Part) Score {
	rank := func(p Part) int {
		if i := slices.Index(ScoreParts, p.Name); i >= 0 {
			return i
		}
		return len(ScoreParts)
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name, b.Name))
	})
	return parts
}

// Get returns the number of a part as written.
func (s Score) Get(name string) (string, bool) {
	i := slices.IndexFunc(s, func(p Part) bool { return p.Name == name })
	if i < 0 {
		return "", false
	}
	return s[i].Number, true
}

// Points returns what a part counts: its number within 0–3. The second result is false if the
// part is missing (PROTOCOL 5, scores).
func (s Score) Points(name string) (float64, bool) {
	number, ok := s.Get(name)
	if !ok {
		return 0, false
	}
	n, _ := strconv.ParseFloat(number, 64) // ±Inf for what a float cannot hold: the bound counts
	return min(max(n, 0), MaxPoints), true
}

// Total adds the four named parts, each within 0–3; a missing part counts 0. The second
// result is false if none of them is there: the test is unscored (PROTOCOL 5, scores).
func (s Score) Total() (float64, bool) {
	total, scored := 0.0, false
	for _, name := range ScoreParts {
		points, ok := s.Points(name)
		total += points
		scored = scored || ok
	}
	return total, scored
}

// FormatTotal prints a total with at most two decimals.
func FormatTotal(total float64) string {
	text := strconv.FormatFloat(total, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
