package merge

import (
	"iter"
	"slices"
	"strings"

	"brenner/artifact"
	"brenner/artifact/delta"
)

// keyed is a map or a score, key by key.
type keyed struct {
	all func() iter.Seq2[string, artifact.Value]
	get func(key string) artifact.Value
}

// clears tells whether a field was given as null.
func clears(f *delta.Field) bool { return f.Value == nil && len(f.ClearKeys) == 0 }

// wishes lists what a block asks of the keys of a field. Replaced or cleared, the keys that
// the field no longer has are cleared one by one: each is its own unit of conflict.
func wishes(f *delta.Field, now, more keyed, compare func(a, b string) int) []wish {
	var list []wish
	for key, want := range more.all() {
		list = append(list, wish{key, now.get(key), want})
	}
	for _, key := range f.ClearKeys {
		list = append(list, wish{key, now.get(key), nil})
	}
	if f.Replace || clears(f) {
		asked := make(map[string]bool, len(list))
		for _, w := range list {
			asked[w.key] = true
		}
		for key, old := range now.all() {
			if !asked[key] {
				list = append(list, wish{key, old, nil})
			}
		}
	}
	slices.SortFunc(list, func(x, y wish) int { return compare(x.key, y.key) })
	return list
}

// remains is what a field holds that has lost its last key: nothing if it was cleared or
// never there, else an empty value.
func remains(f *delta.Field, now, empty artifact.Value) artifact.Value {
	if clears(f) || now == nil && !f.Replace {
		return nil
	}
	return empty
}

// editMap merges a map key by key.
func (b *block) editMap(f *delta.Field, now artifact.Value) artifact.Value {
	old, _ := now.(artifact.Map)
	more, _ := f.Value.(artifact.Map)
	changed := b.settleKeys(f, wishes(f, keyedMap(old), keyedMap(more), artifact.CompareKeys))
	if next := weave(old, changed); len(next) > 0 {
		return b.whole(f, changed, now, next)
	}
	return b.whole(f, changed, now, remains(f, now, artifact.Map{}))
}

func keyedMap(m artifact.Map) keyed {
	return keyed{
		all: func() iter.Seq2[string, artifact.Value] {
			return func(yield func(string, artifact.Value) bool) {
				for _, p := range m {
					if !yield(p.Key, artifact.Text(p.Text)) {
						return
					}
				}
			}
		},
		get: func(key string) artifact.Value {
			if text, ok := m.Get(key); ok {
				return artifact.Text(text)
			}
			return nil
		},
	}
}

// weave puts changed keys into a map: both are sorted, so one pass does.
func weave(old artifact.Map, changed []wish) artifact.Map {
	if len(changed) == 0 {
		return old
	}
	next := make(artifact.Map, 0, len(old)+len(changed))
	for _, w := range changed {
		n, found := slices.BinarySearchFunc(old, w.key, func(p artifact.Pair, key string) int {
			return artifact.CompareKeys(p.Key, key)
		})
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
func (b *block) editScore(f *delta.Field, now artifact.Value) artifact.Value {
	old, _ := now.(artifact.Score)
	more, _ := f.Value.(artifact.Score)
	changed := b.settleKeys(f, wishes(f, keyedScore(old), keyedScore(more), strings.Compare))
	if next := rescore(old, changed); len(next) > 0 {
		return b.whole(f, changed, now, next)
	}
	return b.whole(f, changed, now, remains(f, now, artifact.Score{}))
}

func keyedScore(s artifact.Score) keyed {
	var numbers map[string]string // made for scores with more parts than there should be
	return keyed{
		all: func() iter.Seq2[string, artifact.Value] {
			return func(yield func(string, artifact.Value) bool) {
				for _, p := range s {
					if !yield(p.Name, artifact.JSON(p.Number)) {
						return
					}
				}
			}
		},
		get: func(name string) artifact.Value {
			if numbers == nil && len(s) > 2*len(artifact.ScoreParts) {
				numbers = make(map[string]string, len(s))
				for _, p := range s {
					numbers[p.Name] = p.Number
				}
			}
			number, ok := numbers[name]
			if numbers == nil {
				number, ok = s.Get(name)
			}
			if ok {
				return artifact.JSON(number)
			}
			return nil
		},
	}
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
