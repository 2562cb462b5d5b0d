package delta

import (
	"strings"

	"brenner/artifact"
	"brenner/protocol"
)

// envelope is a block's object by its keys; absent ones are no value.
type envelope struct {
	self                                                  value
	operation, section, target, payload, rationale, local value
}

// object checks the block's object: envelope first, then the payload.
func (b *block) object(v value) {
	e := b.envelope(v)
	b.readOperation(e)
	b.readSection(e)
	b.readRationale(e)
	b.readTarget(e)
	b.readPayload(e)
	if v.t.unsafe {
		b.checkSafe(e.payload, payloadKey)
		b.checkSafe(e.rationale, "rationale")
	}
}

func (b *block) envelope(v value) envelope {
	e := envelope{self: v}
	for w := v.children(); w.ok(); w = w.nextMember() {
		switch key := w.element().text(); key {
		case "operation":
			e.operation = w.member()
		case "section":
			e.section = w.member()
		case "target_id":
			e.target = w.member()
		case "payload":
			e.payload = w.member()
		case "rationale":
			e.rationale = w.member()
		case localIDKey:
			e.local = w.member()
		default:
			b.report(protocol.NewFinding(protocol.UnknownField, "The key %s beside the payload is not kept.", shorten(key)).
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
	if key == reasonKey {
		return "Move reason into the payload."
	}
	for _, known := range []string{"operation", "section", "target_id", "payload", "rationale"} {
		if distance(strings.ToLower(key), known) <= 2 {
			return "Write " + known + "."
		}
	}
	return "Remove the key, or move it into the payload."
}

// operationWords are words that authors use for the operations, for use in fixes.
var operationWords = map[string]Operation{
	"add": Add, "create": Add, "insert": Add, "new": Add,
	"edit": Edit, "update": Edit, "modify": Edit, "change": Edit, "set": Edit, "replace": Edit,
	"kill": Kill, "delete": Kill, "remove": Kill, "drop": Kill,
}

func (b *block) readOperation(e envelope) {
	if !e.operation.ok() {
		b.report(protocol.NewFinding(protocol.InvalidOperation, "The block has no operation."), e.self, "operation")
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
		shorten(e.operation.raw()))
	word = strings.TrimSpace(word)
	if op, ok := operationWords[strings.ToLower(shorten(word))]; ok {
		finding = finding.WithFix(`Write "operation": "%s".`, op)
		if strings.EqualFold(string(op), word) {
			b.operation = op
		}
	}
	b.report(finding, e.operation, "operation")
}

func (b *block) readSection(e envelope) {
	if !e.section.ok() {
		b.report(protocol.NewFinding(protocol.InvalidSection, "The block has no section."), e.self, "section")
		return
	}
	name := e.section.text()
	b.receipt.Section = name
	if s, ok := artifact.ParseSection(name); ok {
		b.section, b.hasSection, b.delta.Section = s, true, s
		return
	}
	finding := protocol.NewFinding(protocol.InvalidSection, "There is no section %s.", shorten(e.section.raw()))
	if s, ok := nearestSection(name); ok {
		finding = finding.WithFix(`Write "section": "%s".`, s)
		b.section, b.hasSection = s, true
	}
	b.report(finding, e.section, "section")
}

// nearestSection finds the section that a name is meant to be.
func nearestSection(name string) (artifact.Section, bool) {
	if s, ok := sectionAlias(name); ok {
		return s, true
	}
	for _, s := range artifact.Sections() {
		if distance(strings.ToLower(name), s.String()) <= 3 {
			return s, true
		}
	}
	return 0, false
}

func (b *block) readRationale(e envelope) {
	v := e.rationale
	switch {
	case v.isNull():
		b.report(protocol.NewFinding(protocol.MissingRationale, "The block gives no rationale."), e.self, "rationale")
	case v.kind() != kindString:
		b.report(wrongType("rationale", "a string", v), v, "rationale")
	case strings.TrimSpace(v.text()) == "":
		b.report(protocol.NewFinding(protocol.MissingRationale, "The rationale is blank."), v, "rationale")
	case b.fits(v, "rationale"):
		b.delta.Rationale = v.text()
	}
}

// wrongType is the finding for a value of another type than the field's.
func wrongType(name, want string, v value) protocol.Finding {
	return protocol.NewFinding(protocol.InvalidField, "%s must be %s, not %s.", name, want, v.kind()).
		WithFix("Make %s %s.", name, want)
}
