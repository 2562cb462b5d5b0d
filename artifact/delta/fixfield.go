package delta

import (
	"slices"
	"strings"

	"brenner/artifact"
	"brenner/protocol"
)

// mendField gives a field's value its type, where that takes no guess.
func (m *mender) mendField(member *looseMember) {
	place := m.section.Field(member.name)
	v := member.value
	if place < 0 || v.kind == kindNull {
		m.mendFlagKey(member)
		return
	}
	spec := &m.section.Fields()[place]
	path := inPayload(member.name)
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

// toText renders a value as text (PROTOCOL 5, repairs).
func (m *mender) toText(v *loose, path string) {
	m.did(protocol.InvalidField, v.start, path, "Wrote %s as text.", v.kind)
	*v = loose{kind: kindString, text: v.plain(), start: v.start, end: v.end}
}

func (m *mender) mendText(spec *artifact.FieldSpec, v *loose, path string) {
	if v.kind != kindString {
		m.toText(v, path)
	}
	if slices.Contains(spec.Values, v.text) {
		return
	}
	for _, allowed := range spec.Values {
		if strings.EqualFold(allowed, strings.TrimSpace(v.text)) {
			m.did(protocol.InvalidField, v.start, path, "Wrote %s for %s.", allowed, shorten(v.text))
			v.text = allowed
			return
		}
	}
}

// mendFlagKey mends what says how to merge: replace and <field>_replace.
func (m *mender) mendFlagKey(member *looseMember) {
	base, isReplace := strings.CutSuffix(member.name, replaceSuffix)
	if member.name == replaceKey || isReplace && m.section.Field(base) >= 0 {
		m.mendFlag(member.value, inPayload(member.name))
	}
}

var flagWords = map[string]kind{"true": kindTrue, "yes": kindTrue, "1": kindTrue, "false": kindFalse, "no": kindFalse, "0": kindFalse}

func (m *mender) mendFlag(v *loose, path string) {
	if v.kind != kindString && v.kind != kindNumber {
		return
	}
	if k, ok := flagWords[strings.ToLower(strings.TrimSpace(v.text))]; ok {
		m.did(protocol.InvalidField, v.start, path, "Wrote true or false for %s.", shorten(v.text))
		*v = loose{kind: k, start: v.start, end: v.end}
	}
}

func (m *mender) mendList(v *loose, path string) {
	if v.kind != kindArray {
		element := *v
		*v = loose{kind: kindArray, elements: []*loose{&element}, start: v.start, end: v.end}
		m.did(protocol.InvalidField, v.start, path, "Put %s into a list.", element.kind)
	}
	v.elements = slices.DeleteFunc(v.elements, func(e *loose) bool {
		if e.kind == kindNull {
			m.did(protocol.InvalidField, e.start, path, "Removed null from the list.")
		}
		return e.kind == kindNull
	})
	for i, e := range v.elements {
		if e.kind != kindString {
			m.toText(e, index(path, i))
		}
	}
}

func (m *mender) mendMap(v *loose, path string) {
	if v.kind == kindArray {
		m.joinPairs(v, path)
	}
	if v.kind != kindObject {
		return
	}
	v.members = slices.DeleteFunc(v.members, func(member looseMember) bool {
		drop := m.operation == Add && member.value.kind == kindNull
		if drop {
			m.did(protocol.InvalidField, member.start, path+"."+member.name, "Removed %s, which is null.", shorten(member.name))
		}
		return drop
	})
	for _, member := range v.members {
		if k := member.value.kind; k != kindString && k != kindNull {
			m.toText(member.value, path+"."+member.name)
		}
	}
}

// joinPairs makes a map of a list of objects with one pair each: [{"H1": "…"}, {"H2": "…"}],
// or [{"hypothesis": "H1", "outcome": "…"}].
func (m *mender) joinPairs(v *loose, path string) {
	joined := loose{kind: kindObject, start: v.start, end: v.end}
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
	case e.kind != kindObject:
	case len(e.members) == 1:
		return e.members[0], true
	case len(e.members) == 2:
		for i, member := range e.members {
			switch snake(member.name) {
			case "hypothesis", "hypothesis_id", "id", "item", "key":
				return looseMember{member.value.plain(), member.start, e.members[1-i].value}, member.value.kind == kindString
			}
		}
	}
	return looseMember{}, false
}

// mendScore writes parts given as text as numbers.
func (m *mender) mendScore(v *loose, path string) {
	for _, member := range v.members {
		part := member.value
		if text := strings.TrimSpace(part.text); part.kind == kindString && jsonNumber.MatchString(text) {
			m.did(protocol.InvalidField, part.start, path+"."+member.name, "Wrote %s as a number.", text)
			part.kind, part.text = kindNumber, text
		}
	}
}

func (m *mender) mendReferences(v *loose, path string) {
	if v.kind == kindObject {
		element := *v
		*v = loose{kind: kindArray, elements: []*loose{&element}, start: v.start, end: v.end}
		m.did(protocol.InvalidField, v.start, path, "Put the reference into a list.")
	}
	for i, e := range v.elements {
		relation := e.get("relation")
		if relation == nil || relation.kind != kindString || slices.Contains(artifact.Relations, relation.text) {
			continue
		}
		if right := snake(relation.text); slices.Contains(artifact.Relations, right) {
			m.did(protocol.InvalidField, relation.start, index(path, i)+".relation", "Wrote %s for %s.", right, shorten(relation.text))
			relation.text = right
		}
	}
}
