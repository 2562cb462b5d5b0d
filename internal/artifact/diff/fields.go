package diff

import (
	"slices"

	"brenner/internal/artifact"
)

// fieldEdits compares a field: maps key by key, scores part by part, everything else whole.
// A map that vanishes altogether is one edit, as clearing its keys would leave an empty one.
func fieldEdits(field string, a, b artifact.Value) []Edit {
	if artifact.Equal(a, b) {
		return nil
	}
	if edits := entryEdits(field, a, b); edits != nil {
		return edits
	}
	return []Edit{{Path: Path{Kind: Whole, Field: field}, Old: a, New: b}}
}

// entryEdits compares two maps or two scores; nil if their entries do not tell the whole
// difference.
func entryEdits(field string, a, b artifact.Value) []Edit {
	now, ok := entriesOf(b)
	if !ok {
		return nil
	}
	old, _ := entriesOf(a)
	gone := make(map[string]artifact.Value, len(old))
	for _, e := range old {
		gone[e.key] = e.value
	}
	var edits []Edit
	for _, e := range now {
		if !artifact.Equal(gone[e.key], e.value) {
			edits = append(edits, Edit{Path: Path{Entry, field, e.key}, Old: gone[e.key], New: e.value})
		}
		delete(gone, e.key)
	}
	for _, e := range old {
		if _, ok := gone[e.key]; ok {
			edits = append(edits, Edit{Path: Path{Entry, field, e.key}, Old: e.value})
		}
	}
	if !artifact.Equal(withEntries(a, edits, kindOf(b)), b) {
		return nil
	}
	if kindOf(b) == artifact.KindMap {
		slices.SortFunc(edits, func(x, y Edit) int { return artifact.CompareKeys(x.Path.Key, y.Path.Key) })
	}
	return edits
}

type keyed struct {
	key   string
	value artifact.Value
}

// entriesOf takes a map or a score apart.
func entriesOf(v artifact.Value) ([]keyed, bool) {
	var entries []keyed
	switch v := v.(type) {
	case artifact.Map:
		for _, p := range v {
			entries = append(entries, keyed{p.Key, artifact.Text(p.Text)})
		}
	case artifact.Score:
		for _, p := range v {
			entries = append(entries, keyed{p.Name, artifact.JSON(p.Number)})
		}
	default:
		return nil, false
	}
	return entries, true
}

func kindOf(v artifact.Value) artifact.Kind {
	if _, ok := v.(artifact.Score); ok {
		return artifact.KindScore
	}
	return artifact.KindMap
}

// withEntries returns a map or a score with the edits to its entries made, all in one go: a
// map of n keys may have n edits.
func withEntries(v artifact.Value, edits []Edit, kind artifact.Kind) artifact.Value {
	changed := make(map[string]artifact.Value, len(edits))
	for _, e := range edits {
		changed[e.Path.Key] = e.New
	}
	old, _ := entriesOf(v)
	entries := slices.DeleteFunc(old, func(e keyed) bool { _, ok := changed[e.key]; return ok })
	for _, e := range edits {
		if e.New != nil {
			entries = append(entries, keyed{e.Path.Key, e.New})
		}
	}
	if kind == artifact.KindScore {
		parts := make([]artifact.Part, len(entries))
		for i, e := range entries {
			number, _ := e.value.(artifact.JSON)
			parts[i] = artifact.Part{Name: e.key, Number: string(number)}
		}
		return artifact.NewScore(parts...)
	}
	pairs := make([]artifact.Pair, len(entries))
	for i, e := range entries {
		text, _ := e.value.(artifact.Text)
		pairs[i] = artifact.Pair{Key: e.key, Text: string(text)}
	}
	return artifact.NewMap(pairs...)
}
