package delta

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// envelope is a block's object by its keys; absent ones are no value.
type envelope struct {
	self                                                  value
	operation, section, target, payload, rationale, local value
}

// object checks the block's object: envelope first, then the payload.
func (b *block) object(v value) {
	e := b.envelope(v)
	b.reader.dec.texts.begin(e.payload, e.rationale)
	b.readOperation(e)
	b.readSection(e)
	b.readRationale(e)
	b.readTarget(e)
	b.readPayload(e)
	if v.t.unsafe {
		b.checkSafe(e.payload, PayloadKey)
		b.checkSafe(e.rationale, RationaleKey)
	}
}

func (b *block) envelope(v value) envelope {
	e := envelope{self: v}
	for w := v.children(); w.ok(); w = w.nextMember() {
		switch key := w.element().text(); key {
		case OperationKey:
			e.operation = w.member()
		case SectionKey:
			e.section = w.member()
		case TargetKey:
			e.target = w.member()
		case PayloadKey:
			e.payload = w.member()
		case RationaleKey:
			e.rationale = w.member()
		case LocalIDKey:
			e.local = w.member()
		default:
			b.report(protocol.NewFinding(protocol.UnknownField, "The key %s beside the payload is not kept.", protocol.Brief(key)).
				WithFix("%s", besideFix(key)), w.element(), key)
		}
	}
	return e
}

// besideFix says what to do with an unknown key beside the payload.
func besideFix(key string) string {
	for _, s := range artifact.Sections() {
		if s.Field(key) >= 0 {
			return "Move " + key + " into the payload."
		}
	}
	if key == ReasonKey {
		return "Move reason into the payload."
	}
	for _, known := range []string{OperationKey, SectionKey, TargetKey, PayloadKey, RationaleKey} {
		if distance(strings.ToLower(key), known) <= 2 {
			return "Write " + known + "."
		}
	}
	return "Remove the key, or move it into the payload."
}

func (b *block) readOperation(e envelope) {
	if !e.operation.ok() {
		b.report(protocol.NewFinding(protocol.InvalidOperation, "The block has no operation."), e.self, OperationKey)
		return
	}
	word := e.operation.text()
	b.receipt.Operation = word
	switch op := Operation(word); op {
	case Add, Edit, Kill:
		b.operation, b.delta.Operation = op, op
		return
	}
	finding := protocol.NewFinding(protocol.InvalidOperation, "The operation %s is none of ADD, EDIT and KILL.",
		protocol.Brief(e.operation.raw()))
	if op, ok := NearestOperation(word); ok {
		finding = finding.WithFix(`Write "operation": "%s".`, op)
		if strings.EqualFold(string(op), strings.TrimSpace(word)) {
			b.operation = op
		}
	}
	b.report(finding, e.operation, OperationKey)
}

func (b *block) readSection(e envelope) {
	if !e.section.ok() {
		b.report(protocol.NewFinding(protocol.InvalidSection, "The block has no section."), e.self, SectionKey)
		return
	}
	name := e.section.text()
	b.receipt.Section = name
	if s, ok := artifact.ParseSection(name); ok {
		b.section, b.hasSection, b.delta.Section = s, true, s
		return
	}
	finding := protocol.NewFinding(protocol.InvalidSection, "There is no section %s.", protocol.Brief(e.section.raw()))
	if s, ok := NearestSection(name); ok {
		finding = finding.WithFix(`Write "section": "%s".`, s)
		b.section, b.hasSection = s, true
	}
	b.report(finding, e.section, SectionKey)
}

func (b *block) readRationale(e envelope) {
	v := e.rationale
	switch {
	case v.isNull():
		b.report(protocol.NewFinding(protocol.MissingRationale, "The block gives no rationale."), e.self, RationaleKey)
	case v.kind() != strictjson.String:
		b.report(wrongType(RationaleKey, "a string", v), v, RationaleKey)
	case strings.TrimSpace(v.text()) == "":
		b.report(protocol.NewFinding(protocol.MissingRationale, "The rationale is blank."), v, RationaleKey)
	case b.fits(v, RationaleKey):
		b.delta.Rationale = b.own(v)
	}
}

// wrongType is the finding for a value of another type than the field's.
func wrongType(name, want string, v value) protocol.Finding {
	return protocol.NewFinding(protocol.InvalidField, "%s must be %s, not %s.", name, want, v.kind()).
		WithFix("Make %s %s.", name, want)
}
