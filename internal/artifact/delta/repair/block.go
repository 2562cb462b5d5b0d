package repair

import (
	"cmp"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// mender repairs one block's object and keeps account of what it did. It never decides
// whether the block is right then: delta.Read does.
type mender struct {
	place   func(offset int) (line, column int)
	repairs []protocol.Finding

	operation delta.Operation // empty if it cannot be told
	section   artifact.Section
	known     bool // the section is
}

// did records a repair: the code of what was wrong and what was done about it.
func (m *mender) did(code protocol.Code, offset int, path, format string, args ...any) {
	m.repairs = append(m.repairs, protocol.NewFinding(code, format, args...).
		As(protocol.SeverityInfo).At(m.place(offset)).In(path).WithFix(""))
}

// mend repairs an object meant as a delta.
func (m *mender) mend(o *loose) {
	m.mendStrings(o)
	m.mendOperation(o)
	m.mendSection(o)
	m.mendEnvelope(o)
	m.mendPayload(o)
	m.mendTarget(o)
	if v := o.get(delta.RationaleKey); v != nil && v.kind != strictjson.String && v.kind != strictjson.Null {
		m.toText(v, delta.RationaleKey)
	}
	order := func(member looseMember) int {
		return (slices.Index(envelopeOrder, member.name) + len(envelopeOrder)) % len(envelopeOrder)
	}
	slices.SortStableFunc(o.members, func(a, b looseMember) int { return cmp.Compare(order(a), order(b)) })
}

// envelopeOrder is the order in which the keys of a block are written; others come last.
var envelopeOrder = []string{delta.OperationKey, delta.SectionKey, delta.TargetKey, delta.LocalIDKey, delta.PayloadKey, delta.RationaleKey,
	""}

// brokenSection is what § becomes when UTF-8 is read as Mac Roman: the one thing that is
// changed inside strings.
const brokenSection = "¬ß"

// mendStrings puts § for ¬ß in all strings and drops a key that says the same twice.
func (m *mender) mendStrings(v *loose) {
	if v.kind == strictjson.String && strings.Contains(v.text, brokenSection) {
		v.text = strings.ReplaceAll(v.text, brokenSection, "§")
		m.did(protocol.InvalidEncoding, v.start, "", "Put § for ¬ß.")
	}
	for _, e := range v.elements {
		m.mendStrings(e)
	}
	for i := range v.members {
		m.mendStrings(v.members[i].value)
	}
	m.dropRepeated(v)
}

func (m *mender) dropRepeated(v *loose) {
	type first struct {
		value   *loose
		written string // once it was needed
	}
	seen := make(map[string]*first, len(v.members))
	kept := v.members[:0]
	for _, member := range v.members {
		f := seen[member.name]
		if f == nil {
			seen[member.name] = &first{value: member.value}
			kept = append(kept, member)
			continue
		}
		if f.written == "" {
			f.written = f.value.write()
		}
		if f.written != member.value.write() {
			kept = append(kept, member)
			continue
		}
		m.did(protocol.InvalidJSON, member.start, "", "Removed the key %s, which stood twice with the same value.",
			protocol.Brief(member.name))
	}
	v.members = kept
}

// rename gives a key its right name, unless that one is there already.
func (m *mender) rename(v *loose, i int, name, prefix string, code protocol.Code) {
	old := v.members[i].name
	if v.find(name) >= 0 {
		return
	}
	v.members[i].name = name
	m.did(code, v.members[i].start, prefix+name, "Wrote %s for %s.", name, protocol.Brief(old))
}

func (m *mender) mendOperation(o *loose) {
	for i := range o.members {
		if name := snake(o.members[i].name); name != delta.OperationKey && (name == "op" || name == "action") ||
			name != o.members[i].name && name == delta.OperationKey {
			m.rename(o, i, delta.OperationKey, "", protocol.InvalidOperation)
			break
		}
	}
	v := o.get(delta.OperationKey)
	if v == nil || v.kind != strictjson.String {
		return
	}
	op, ok := delta.NearestOperation(v.text)
	if !ok {
		return
	}
	if m.operation = op; v.text != string(op) {
		m.did(protocol.InvalidOperation, v.start, delta.OperationKey, "Wrote the operation %s for %s.", op, protocol.Brief(v.text))
		v.text = string(op)
	}
}

func (m *mender) mendSection(o *loose) {
	for i := range o.members {
		if name := snake(o.members[i].name); name != o.members[i].name && name == delta.SectionKey || name == "section_id" ||
			name == "section_name" {
			m.rename(o, i, delta.SectionKey, "", protocol.InvalidSection)
			break
		}
	}
	v := o.get(delta.SectionKey)
	if v == nil || v.kind != strictjson.String {
		return
	}
	s, ok := delta.NearestSection(v.text)
	if !ok {
		return
	}
	if m.section, m.known = s, true; v.text != s.String() {
		m.did(protocol.InvalidSection, v.start, delta.SectionKey, "Wrote the section %s for %s.", s, protocol.Brief(v.text))
		v.text = s.String()
	}
}

// envelopeNames are other names for the keys beside the payload.
var envelopeNames = map[string]string{
	"data": delta.PayloadKey, "content": delta.PayloadKey, "fields": delta.PayloadKey, "body": delta.PayloadKey, "values": delta.PayloadKey,
	"justification": delta.RationaleKey, "reasoning": delta.RationaleKey, "why": delta.RationaleKey, "reason": delta.RationaleKey,
	"comment": delta.RationaleKey,
}

// targetNames are other names for the target of an EDIT or KILL; an ADD has none.
var targetNames = map[string]bool{"target": true, "id": true, "item": true, "item_id": true, "targetid": true}

func (m *mender) mendEnvelope(o *loose) {
	for i := range o.members {
		member := &o.members[i]
		name := snake(member.name)
		right := envelopeNames[name]
		switch {
		case name == delta.ReasonKey && m.operation == delta.Kill:
			continue // the payload's
		case right == delta.PayloadKey && member.value.kind != strictjson.Object:
			continue
		case name == delta.TargetKey || name == delta.PayloadKey || name == delta.RationaleKey || name == delta.LocalIDKey:
			right = name
		case targetNames[name] && (m.operation == delta.Edit || m.operation == delta.Kill):
			right = delta.TargetKey
		}
		if right != "" && right != member.name {
			m.rename(o, i, right, "", protocol.UnknownField)
		}
	}
	m.gatherPayload(o)
}

// gatherPayload makes the payload of a block that has its fields beside it.
func (m *mender) gatherPayload(o *loose) {
	payload := o.get(delta.PayloadKey)
	if payload != nil && payload.kind != strictjson.Object || m.operation == "" || !m.known {
		return
	}
	var beside, kept []looseMember
	for _, member := range o.members {
		if m.belongsInside(member.name, payload) {
			beside = append(beside, member)
		} else {
			kept = append(kept, member)
		}
	}
	if len(beside) == 0 {
		return
	}
	o.members = kept
	if payload == nil {
		payload = &loose{kind: strictjson.Object, start: o.start}
		o.set(delta.PayloadKey, payload)
	}
	for _, member := range beside {
		payload.members = append(payload.members, member)
		m.did(protocol.UnknownField, member.start, delta.InPayload(member.name), "Moved %s into the payload.", protocol.Brief(member.name))
	}
}

// belongsInside tells whether a key beside the payload is meant to be in it.
func (m *mender) belongsInside(name string, payload *loose) bool {
	switch name {
	case delta.OperationKey, delta.SectionKey, delta.TargetKey, delta.PayloadKey, delta.RationaleKey, delta.LocalIDKey:
		return false
	}
	if payload != nil && payload.find(name) >= 0 {
		return false
	}
	if m.operation == delta.Kill {
		return name == delta.ReasonKey
	}
	_, isField := m.fieldName(name)
	return isField || m.section.Field(name) >= 0
}

// mendTarget writes a target in its right form. It does not find a target that is missing,
// but for one that the payload names.
func (m *mender) mendTarget(o *loose) {
	v := o.get(delta.TargetKey)
	if v == nil || v.kind != strictjson.String || !m.known || m.operation == "" {
		return
	}
	text := strings.TrimSpace(v.text)
	switch {
	case m.operation == delta.Add && m.section != artifact.ResearchThread: // the merge gives the id
		m.did(protocol.InvalidTarget, v.start, delta.TargetKey, "Wrote null for the target %s of an ADD.", protocol.Brief(v.text))
		*v = loose{kind: strictjson.Null, start: v.start, end: v.end}
	case m.operation != delta.Add && v.text != strings.ToUpper(text) && artifact.IsItemOf(strings.ToUpper(text), m.section):
		m.did(protocol.InvalidTarget, v.start, delta.TargetKey, "Wrote the target %s for %s.", strings.ToUpper(text),
			protocol.Brief(v.text))
		v.text = strings.ToUpper(text)
	}
}
