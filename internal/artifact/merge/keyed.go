package merge

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// keyed is a map or a score as pairs of key and text.
type keyed struct {
	pairs []artifact.Pair
	kind  artifact.Kind             // KindMap, sorted by key; or KindScore
	over  map[string]artifact.Value // what has changed since: see overlay
	index map[string]int            // of a score with more parts than there should be
}

func keyedMap(m artifact.Map) *keyed { return &keyed{pairs: m, kind: artifact.KindMap} }

func keyedScore(s artifact.Score) *keyed {
	k := &keyed{pairs: make([]artifact.Pair, len(s)), kind: artifact.KindScore}
	for i, p := range s {
		k.pairs[i] = artifact.Pair{Key: p.Name, Text: p.Number}
	}
	return k
}

// get returns the unit under a key, nil if there is none.
func (k *keyed) get(key string) artifact.Value {
	if v, ok := k.over[key]; ok {
		return v
	}
	if i := k.find(key); i >= 0 {
		return k.at(i)
	}
	return nil
}

// at returns the unit at a place.
func (k *keyed) at(i int) artifact.Value {
	if k.kind == artifact.KindScore {
		return artifact.JSON(k.pairs[i].Text)
	}
	return artifact.Text(k.pairs[i].Text)
}

// few is how many pairs are found faster by looking at each.
const few = 8

// find returns the place of a key, or -1.
func (k *keyed) find(key string) int {
	switch {
	case len(k.pairs) <= few:
		return slices.IndexFunc(k.pairs, func(p artifact.Pair) bool { return p.Key == key })
	case k.kind == artifact.KindMap:
		i, found := searchKey(k.pairs, key)
		if found {
			return i
		}
		return -1
	}
	if k.index == nil {
		k.index = make(map[string]int, len(k.pairs))
		for i, p := range k.pairs {
			k.index[p.Key] = i
		}
	}
	if i, ok := k.index[key]; ok {
		return i
	}
	return -1
}

func searchKey(sorted []artifact.Pair, key string) (int, bool) {
	return slices.BinarySearchFunc(sorted, key, func(p artifact.Pair, key string) int {
		return artifact.CompareKeys(p.Key, key)
	})
}

// wish is what a block asks of one key of a map or part of a score.
type wish struct {
	key       string
	now, want artifact.Value
}

// clears tells whether a field was given as null.
func clears(f *delta.Field) bool { return f.Value == nil && len(f.ClearKeys) == 0 }

// fewWishes is how many keys most EDITs set.
const fewWishes = 4

// wishes appends to a list what a block asks of the keys of a field, in their order. Replaced or cleared,
// the keys that the field no longer has are cleared one by one, those in dispute too: each is
// its own unit of conflict.
func wishes(list []wish, f *delta.Field, now, more *keyed, disputes []string) []wish {
	for i, p := range more.pairs {
		list = append(list, wish{p.Key, now.get(p.Key), more.at(i)})
	}
	given := len(list)
	for _, key := range f.ClearKeys {
		list = append(list, wish{key, now.get(key), nil})
	}
	if f.Replace || clears(f) {
		asked := make(map[string]bool, len(list))
		for _, w := range list {
			asked[w.key] = true
		}
		for i, p := range now.pairs {
			if !asked[p.Key] {
				asked[p.Key] = true
				list = append(list, wish{p.Key, now.at(i), nil})
			}
		}
		for _, path := range disputes {
			if key, ok := strings.CutPrefix(path, f.Name+"."); ok && !asked[key] {
				list = append(list, wish{key, nil, nil})
			}
		}
	}
	if len(list) > given {
		slices.SortFunc(list, func(x, y wish) int { return artifact.CompareKeys(x.key, y.key) })
	}
	return list
}

// resolveKeys resolves the wishes of a field, in order, and returns those keys that changed,
// with their new values.
func (b *block) resolveKeys(f *delta.Field, wishes []wish) []wish {
	changed := wishes[:0]
	for _, w := range wishes {
		next := b.resolve(place{path: f.Name + "." + w.key, in: f}, w.now, w.want)
		if !artifact.Equal(w.now, next) {
			changed = append(changed, wish{w.key, w.now, next})
		}
	}
	if len(changed) > 0 { // the field as a whole was last touched by this block too
		b.entry.item.SetSource(f.Name, b.source)
	}
	return changed
}

// replace puts the new value of a map or score into the item. Where none of its keys has
// changed, the field can only have come into being, empty, or vanished.
func (b *block) replace(f *delta.Field, changed []wish, now, next artifact.Value) {
	item := b.entry.item
	if len(changed) == 0 {
		if (now == nil) == (next == nil) {
			return
		}
		b.record(Change{Field: f.Name, Kind: KindEdited, Old: now, New: next, By: b.source})
		b.changed = true
		item.SetSource(f.Name, b.source)
	}
	item.Set(f.Name, next)
	if next == nil {
		item.SetSource(f.Name, nil)
	}
}

// remains is what a field holds that has lost its last key: nothing if it was cleared or
// never there, else an empty value.
func remains(f *delta.Field, now, empty artifact.Value) artifact.Value {
	if clears(f) || now == nil && !f.Replace {
		return nil
	}
	return empty
}

// Emptied is the finding about a required map that an EDIT would leave without any key (PROTOCOL 5).
// Only the item tells which keys there are.
func Emptied(item *artifact.Item, edit *delta.Delta) (protocol.Finding, bool) {
	for i := range edit.Fields {
		f := &edit.Fields[i]
		spec := item.Section.Fields()[item.Section.Field(f.Name)]
		if !spec.Required || spec.Kind != artifact.KindMap || len(f.ClearKeys) == 0 || keepsKey(item.Map(f.Name), f) {
			continue
		}
		return protocol.NewFinding(protocol.MissingRequiredField, "The EDIT clears every key of %s of %s, which must not be empty.", f.Name,
			item.ID).
			At(f.Line, f.Column).In(f.Path).On(string(item.ID)).
			WithFix("Keep one key of %s or give it a new one; KILL %s if it no longer holds.", f.Name, item.ID), true
	}
	return protocol.Finding{}, false
}

// keepsKey tells whether a map has a key after an EDIT that clears some of them.
func keepsKey(standing artifact.Map, f *delta.Field) bool {
	if more, _ := f.Value.(artifact.Map); len(more) > 0 {
		return true
	}
	gone := make(map[string]bool, len(f.ClearKeys))
	for _, key := range f.ClearKeys {
		gone[key] = true
	}
	return slices.ContainsFunc(standing, func(p artifact.Pair) bool { return !gone[p.Key] })
}

// editMap merges a map key by key.
func (b *block) editMap(f *delta.Field) {
	if f.Replace || clears(f) {
		b.entry.level(f.Name)
	}
	var room [fewWishes]wish
	now := b.entry.item.Get(f.Name)
	old, _ := now.(artifact.Map)
	more, _ := f.Value.(artifact.Map)
	standing := &keyed{pairs: old, kind: artifact.KindMap, over: b.entry.overlays[f.Name]}
	changed := b.resolveKeys(f, wishes(room[:0], f, standing, keyedMap(more), b.entry.item.Conflicts))
	if len(old) >= overlayFrom && !f.Replace && !clears(f) {
		b.overlay(f.Name, changed)
		return
	}
	if next := weave(old, changed); len(next) > 0 {
		b.replace(f, changed, now, next)
		return
	}
	b.replace(f, changed, now, remains(f, now, artifact.Map{}))
}

// weave puts changed keys into a map: both are sorted, so one pass does.
func weave(old artifact.Map, changed []wish) artifact.Map {
	if len(changed) == 0 {
		return old
	}
	next := make(artifact.Map, 0, len(old)+len(changed))
	for _, w := range changed {
		n, found := searchKey(old, w.key)
		next, old = append(next, old[:n]...), old[n:]
		if found {
			old = old[1:]
		}
		if text, ok := w.want.(artifact.Text); ok {
			next = append(next, artifact.Pair{Key: w.key, Text: string(text)})
		}
	}
	return append(next, old...)
}

// editScore merges a score part by part, as a map: a part that is not given keeps its
// number unless the score is replaced.
func (b *block) editScore(f *delta.Field) {
	var room [fewWishes]wish
	now := b.entry.item.Get(f.Name)
	old, _ := now.(artifact.Score)
	more, _ := f.Value.(artifact.Score)
	changed := b.resolveKeys(f, wishes(room[:0], f, keyedScore(old), keyedScore(more), b.entry.item.Conflicts))
	if next := rescore(old, changed); len(next) > 0 {
		b.replace(f, changed, now, next)
		return
	}
	b.replace(f, changed, now, remains(f, now, artifact.Score{}))
}

// rescore puts changed parts into a score.
func rescore(old artifact.Score, changed []wish) artifact.Score {
	if len(changed) == 0 {
		return old
	}
	touched := make(map[string]bool, len(changed))
	parts := make([]artifact.Part, 0, len(old)+len(changed))
	for _, w := range changed {
		touched[w.key] = true
		if number, ok := w.want.(artifact.JSON); ok {
			parts = append(parts, artifact.Part{Name: w.key, Number: string(number)})
		}
	}
	for _, p := range old {
		if !touched[p.Name] {
			parts = append(parts, p)
		}
	}
	return artifact.NewScore(parts...)
}
