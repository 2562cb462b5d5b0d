package repair

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// mendField gives a field's value its type, where that takes no guess.
func (m *mender) mendField(member *looseMember) {
	spec, v := m.spec(member.name), member.value
	if spec == nil || v.kind == strictjson.Null {
		m.mendFlagKey(member)
		return
	}
	path := delta.InPayload(member.name)
	switch spec.Kind {
	case artifact.KindText:
		m.mendText(spec, v, path)
	case artifact.KindFlag:
		m.mendFlag(v, path)
	case artifact.KindList:
		m.mendList(v, path)
	case artifact.KindMap:
		m.mendMap(v, path)
	case artifact.KindScore:
		m.mendScore(v, path)
	case artifact.KindReferences:
		m.mendReferences(v, path)
	}
}

// spec returns the field of the section that has a name, nil if there is none.
func (m *mender) spec(name string) *artifact.FieldSpec {
	if place := m.section.Field(name); place >= 0 {
		return &m.section.Fields()[place]
	}
	return m.section.OpenField(name)
}

// toText renders a value as text (PROTOCOL 5, repairs).
func (m *mender) toText(v *loose, path string) {
	m.did(protocol.InvalidField, v.start, path, "Wrote %s as text.", v.kind)
	*v = loose{kind: strictjson.String, text: v.plain(), start: v.start, end: v.end}
}

func (m *mender) mendText(spec *artifact.FieldSpec, v *loose, path string) {
	if v.kind != strictjson.String {
		m.toText(v, path)
	}
	if slices.Contains(spec.Values, v.text) {
		return
	}
	for _, allowed := range spec.Values {
		if strings.EqualFold(allowed, strings.TrimSpace(v.text)) {
			m.did(protocol.InvalidField, v.start, path, "Wrote %s for %s.", allowed, protocol.Brief(v.text))
			v.text = allowed
			return
		}
	}
}

// mendFlagKey mends what says how to merge: replace and <field>_replace.
func (m *mender) mendFlagKey(member *looseMember) {
	base, isReplace := strings.CutSuffix(member.name, delta.ReplaceSuffix)
	if member.name == delta.ReplaceKey || isReplace && m.section.Field(base) >= 0 {
		m.mendFlag(member.value, delta.InPayload(member.name))
	}
}

var flagWords = map[string]strictjson.Kind{"true": strictjson.True, "yes": strictjson.True, "1": strictjson.True, "false": strictjson.False,
	"no": strictjson.False, "0": strictjson.False}

func (m *mender) mendFlag(v *loose, path string) {
	if v.kind != strictjson.String && v.kind != strictjson.Number {
		return
	}
	if k, ok := flagWords[strings.ToLower(strings.TrimSpace(v.text))]; ok {
		m.did(protocol.InvalidField, v.start, path, "Wrote true or false for %s.", protocol.Brief(v.text))
		*v = loose{kind: k, start: v.start, end: v.end}
	}
}

func (m *mender) mendList(v *loose, path string) {
	if v.kind != strictjson.Array {
		element := *v
		*v = loose{kind: strictjson.Array, elements: []*loose{&element}, start: v.start, end: v.end}
		m.did(protocol.InvalidField, v.start, path, "Put %s into a list.", element.kind)
	}
	v.elements = slices.DeleteFunc(v.elements, func(e *loose) bool {
		if e.kind == strictjson.Null {
			m.did(protocol.InvalidField, e.start, path, "Removed null from the list.")
		}
		return e.kind == strictjson.Null
	})
	for i, e := range v.elements {
		if e.kind != strictjson.String {
			m.toText(e, delta.Element(path, i))
		}
	}
}

func (m *mender) mendMap(v *loose, path string) {
	if v.kind == strictjson.Array {
		m.joinPairs(v, path)
	}
	if v.kind != strictjson.Object {
		return
	}
	v.members = slices.DeleteFunc(v.members, func(member looseMember) bool {
		drop := m.operation == delta.Add && member.value.kind == strictjson.Null
		if drop {
			m.did(protocol.InvalidField, member.start, path+"."+member.name, "Removed %s, which is null.", protocol.Brief(member.name))
		}
		return drop
	})
	for _, member := range v.members {
		if k := member.value.kind; k != strictjson.String && k != strictjson.Null {
			m.toText(member.value, path+"."+member.name)
		}
	}
}

// joinPairs makes a map of a list of objects with one pair each: [{"H1": "…"}, {"H2": "…"}],
// or [{"hypothesis": "H1", "outcome": "…"}].
func (m *mender) joinPairs(v *loose, path string) {
	joined := loose{kind: strictjson.Object, start: v.start, end: v.end}
	seen := map[string]bool{}
	for _, e := range v.elements {
		pair, ok := pairOf(e)
		if !ok || seen[pair.name] {
			return
		}
		seen[pair.name] = true
		joined.members = append(joined.members, pair)
	}
	if len(joined.members) == 0 {
		return
	}
	*v = joined
	m.did(protocol.InvalidField, v.start, path, "Made one object of a list of pairs.")
}

func pairOf(e *loose) (looseMember, bool) {
	switch {
	case e.kind != strictjson.Object:
	case len(e.members) == 1:
		return e.members[0], true
	case len(e.members) == 2:
		for i, member := range e.members {
			switch snake(member.name) {
			case "hypothesis", "hypothesis_id", "id", "item", "key":
				return looseMember{member.value.plain(), member.start, e.members[1-i].value}, member.value.kind == strictjson.String
			}
		}
	}
	return looseMember{}, false
}

// mendScore writes parts given as text as numbers.
func (m *mender) mendScore(v *loose, path string) {
	for _, member := range v.members {
		part := member.value
		if text := strings.TrimSpace(part.text); part.kind == strictjson.String && jsonNumber().MatchString(text) {
			m.did(protocol.InvalidField, part.start, path+"."+member.name, "Wrote %s as a number.", text)
			part.kind, part.text = strictjson.Number, text
		}
	}
}

func (m *mender) mendReferences(v *loose, path string) {
	if v.kind == strictjson.Object {
		element := *v
		*v = loose{kind: strictjson.Array, elements: []*loose{&element}, start: v.start, end: v.end}
		m.did(protocol.InvalidField, v.start, path, "Put the reference into a list.")
	}
	for i, e := range v.elements {
		relation := e.get("relation")
		if relation == nil || relation.kind != strictjson.String || slices.Contains(artifact.Relations, relation.text) {
			continue
		}
		if right := snake(relation.text); slices.Contains(artifact.Relations, right) {
			m.did(protocol.InvalidField, relation.start, delta.Element(path, i)+".relation", "Wrote %s for %s.", right,
				protocol.Brief(relation.text))
			relation.text = right
		}
	}
}
