package repair

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// mendPayload repairs the payload for its operation and section.
func (m *mender) mendPayload(o *loose) {
	payload := o.get(delta.PayloadKey)
	if payload == nil || payload.kind != strictjson.Object || m.operation == "" || !m.known {
		return
	}
	m.moveOut(o, payload)
	if m.operation == delta.Kill {
		m.mendReason(payload)
		m.dropReserved(o, payload)
		return
	}
	m.mendNames(payload)
	m.dropReserved(o, payload)
	for i := range payload.members {
		m.mendField(&payload.members[i])
	}
	if m.operation == delta.Add && len(payload.members) > 0 {
		m.fillNeutral(payload)
	}
}

// moveOut moves a rationale that is in the payload to its place beside it. In a KILL it
// is the reason if there is none.
func (m *mender) moveOut(o, payload *loose) {
	v := payload.get(delta.RationaleKey)
	if v == nil || o.get(delta.RationaleKey) != nil || m.operation == delta.Kill && payload.get(delta.ReasonKey) == nil {
		return
	}
	payload.remove(delta.RationaleKey)
	o.set(delta.RationaleKey, v)
	m.did(protocol.UnknownField, v.start, delta.RationaleKey, "Moved the rationale out of the payload.")
}

var reasonNames = []string{"why", "kill_reason", "killed_reason", "cause", delta.RationaleKey, "description"}

func (m *mender) mendReason(payload *loose) {
	for _, name := range reasonNames {
		if i := payload.find(name); i >= 0 && payload.get(delta.ReasonKey) == nil {
			m.rename(payload, i, delta.ReasonKey, delta.PayloadKey+".", protocol.UnknownField)
		}
	}
	if v := payload.get(delta.ReasonKey); v != nil && v.kind != strictjson.String && v.kind != strictjson.Null {
		m.toText(v, delta.InPayload(delta.ReasonKey))
	}
}

// mendNames gives fields their right names. A name is not taken for another field's where
// that field is there.
func (m *mender) mendNames(payload *loose) {
	present := make(map[string]bool, len(payload.members))
	for i := range payload.members {
		present[payload.members[i].name] = true
	}
	for i := range payload.members {
		member := &payload.members[i]
		right, ok := m.fieldName(member.name)
		if !ok || present[right] {
			continue
		}
		present[right] = true
		m.did(protocol.UnknownField, member.start, delta.InPayload(right), "Wrote %s for %s.", right, protocol.Brief(member.name))
		member.name = right
	}
}

// dropReserved removes keys that belong to the item's bookkeeping. An id that names the
// target of an EDIT or KILL without one becomes the target.
func (m *mender) dropReserved(o, payload *loose) {
	kept := payload.members[:0]
	for _, member := range payload.members {
		if !artifact.Reserved(member.name) {
			kept = append(kept, member)
			continue
		}
		if target := o.get(delta.TargetKey); member.name == "id" && m.operation != delta.Add &&
			(target == nil || target.kind == strictjson.Null) &&
			member.value.kind == strictjson.String && artifact.IsItemOf(member.value.text, m.section) {
			o.set(delta.TargetKey, member.value)
			m.did(protocol.InvalidTarget, member.start, delta.TargetKey, "Took the target %s from the payload's id.", member.value.text)
			continue
		}
		m.did(protocol.ReservedField, member.start, delta.InPayload(member.name), "Removed the reserved key %s.", member.name)
	}
	payload.members = kept
}

// unstated is written where the neutral value of a required field is empty: strict intake takes
// no blank one, and a reader sees that the author said nothing.
const unstated = "unstated"

// fillNeutral gives required fields that are missing their neutral value, where they have one.
func (m *mender) fillNeutral(payload *loose) {
	for i := range m.section.Fields() {
		spec := &m.section.Fields()[i]
		if !spec.Required || spec.Neutral == nil || !isMissing(payload.get(spec.Name)) {
			continue
		}
		v := neutralLoose(spec.Neutral, payload.start)
		payload.set(spec.Name, v)
		m.did(protocol.IncompleteItem, payload.start, delta.InPayload(spec.Name), "Gave the missing field %s the value %s.", spec.Name,
			v.write())
	}
}

// isMissing tells whether a required field has nothing in it.
func isMissing(v *loose) bool {
	switch {
	case v == nil || v.kind == strictjson.Null:
		return true
	case v.kind == strictjson.String:
		return strings.TrimSpace(v.text) == ""
	case v.kind == strictjson.Array:
		for _, e := range v.elements {
			if !isMissing(e) {
				return false
			}
		}
		return true
	}
	return false
}

func neutralLoose(neutral artifact.Value, at int) *loose {
	text := func(t string) *loose { return &loose{kind: strictjson.String, text: t, start: at, end: at} }
	if list, ok := neutral.(artifact.List); ok {
		v := &loose{kind: strictjson.Array, start: at, end: at}
		for _, t := range list {
			v.elements = append(v.elements, text(t))
		}
		return v
	}
	t, _ := neutral.(artifact.Text)
	if t == "" {
		t = unstated
	}
	return text(string(t))
}
