package merge

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// handles calls use for every handle that a delta uses, in order: as target, key of a map,
// element of a list, item of a reference, or word of discriminates (PROTOCOL 5).
func handles(d *delta.Delta, use func(name string)) {
	whole := func(text string) {
		if name, ok := delta.Handle(text); ok {
			use(name)
		}
	}
	whole(d.Target)
	for i := range d.Fields {
		f := &d.Fields[i]
		switch v := f.Value.(type) {
		case artifact.Map:
			for _, p := range v {
				whole(p.Key)
			}
		case artifact.List:
			for _, text := range v {
				whole(text)
			}
		case artifact.References:
			for _, ref := range v {
				whole(ref.Item)
			}
		case artifact.Text:
			if f.Name == artifact.Discriminates {
				delta.ReplaceHandles(string(v), func(name string) (string, bool) {
					use(name)
					return "", false
				})
			}
		}
		for _, key := range f.ClearKeys {
			whole(key)
		}
	}
}

// resolve returns the delta with ids in place of handles. All of them are known. Two keys of
// a map that now name one item come back as a clash: like two equal keys in JSON they cannot
// both be kept, unless they say the same.
func resolve(d *delta.Delta, ids map[string]artifact.ItemID) (delta.Delta, *clash) {
	out := *d
	whole := func(text string) string {
		if name, ok := delta.Handle(text); ok {
			return string(ids[name])
		}
		return text
	}
	out.Target = whole(d.Target)
	out.Fields = make([]delta.Field, len(d.Fields))
	for i, f := range d.Fields {
		switch v := f.Value.(type) {
		case artifact.Map:
			var c *clash
			if f, c = resolveKeys(f, v, whole); c != nil {
				return *d, c
			}
		case artifact.List:
			f.Value = resolveList(v, whole)
		case artifact.References:
			f.Value = resolveReferences(v, whole)
		case artifact.Text:
			if f.Name == artifact.Discriminates {
				f.Value = artifact.Text(delta.ReplaceHandles(string(v), func(name string) (string, bool) {
					return string(ids[name]), true
				}))
			}
		}
		out.Fields[i] = f
	}
	out.Extra = resolveExtra(d, ids)
	return out, nil
}

// resolveExtra puts ids into the open fields. A handle that is not known stays there as it was written: they never
// reject a block (SCIENCE, preamble).
func resolveExtra(d *delta.Delta, ids map[string]artifact.ItemID) []artifact.Extra {
	extra := make([]artifact.Extra, len(d.Extra))
	for i, e := range d.Extra {
		extra[i] = delta.ResolveOpen(d.Section, e, func(name string) (string, bool) {
			id, ok := ids[name]
			return string(id), ok
		})
	}
	return extra
}

// clash is two keys of a map that a handle made equal.
type clash struct {
	field       delta.Field
	first, then string // as written
	id          string
}

func resolveKeys(f delta.Field, m artifact.Map, whole func(string) string) (delta.Field, *clash) {
	type wanted struct{ key, text string }
	seen := make(map[string]wanted, len(m)+len(f.ClearKeys))
	pairs := make([]artifact.Pair, 0, len(m))
	for _, p := range m {
		key := whole(p.Key)
		if other, twice := seen[key]; twice {
			if other.text != p.Text {
				return f, &clash{f, other.key, p.Key, key}
			}
			continue
		}
		seen[key] = wanted{p.Key, p.Text}
		pairs = append(pairs, artifact.Pair{Key: key, Text: p.Text})
	}
	f.Value = artifact.NewMap(pairs...)
	cleared := make([]string, 0, len(f.ClearKeys))
	for _, k := range f.ClearKeys {
		key := whole(k)
		if other, twice := seen[key]; twice {
			return f, &clash{f, other.key, k, key}
		}
		cleared = append(cleared, key)
	}
	f.ClearKeys = cleared
	return f, nil
}

// resolveList leaves out the repetitions that handles make: an element that has become
// equal to another one, which loses nothing. What was written twice stays.
func resolveList(v artifact.List, whole func(string) string) artifact.List {
	resolved := make(map[string]bool, len(v)) // by text: whether it came from a handle
	list := make(artifact.List, 0, len(v))
	for _, text := range v {
		id := whole(text)
		if byHandle, twice := resolved[id]; twice && (byHandle || id != text) {
			continue
		}
		resolved[id] = id != text
		list = append(list, id)
	}
	return list
}

func resolveReferences(v artifact.References, whole func(string) string) artifact.References {
	refs := make(artifact.References, len(v))
	for i, ref := range v {
		ref.Item = whole(ref.Item)
		refs[i] = ref
	}
	return refs
}
