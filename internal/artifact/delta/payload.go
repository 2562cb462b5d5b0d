package delta

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// readPayload checks the payload for its operation.
func (b *block) readPayload(e envelope) {
	v := e.payload
	switch {
	case v.isNull():
		b.report(protocol.NewFinding(protocol.MissingRequiredField, "The block has no payload.").
			WithFix("%s", b.payloadFix()), e.self, PayloadKey)
		return
	case v.kind() != strictjson.Object:
		b.report(wrongType(PayloadKey, "an object", v), v, PayloadKey)
		return
	}
	b.readLocalID(e)
	switch {
	case b.operation == Kill:
		b.killPayload(v)
	case b.operation != "" && b.hasSection:
		b.fieldsPayload(v)
	}
}

// payloadFix says what the payload must hold.
func (b *block) payloadFix() string {
	switch {
	case b.operation == Kill:
		return `Add "payload": {"reason": "…"}.`
	case b.operation == Add && b.hasSection && b.section != artifact.ResearchThread:
		return `Add "payload" with ` + strings.Join(requiredFields(b.section), ", ") + "."
	}
	return `Add "payload" with the fields to set.`
}

func requiredFields(s artifact.Section) []string {
	var names []string
	for i := range s.Fields() {
		if f := &s.Fields()[i]; f.Required {
			names = append(names, f.Name)
		}
	}
	return names
}

// killPayload reads the reason of a KILL.
func (b *block) killPayload(v value) {
	reason := value{}
	for w := v.children(); w.ok(); w = w.nextMember() {
		switch key := w.element().text(); {
		case key == ReasonKey:
			reason = w.member()
		case key == LocalIDKey: // reported with the handle
		case artifact.Reserved(key):
			b.reservedField(key, w.element())
		default:
			b.report(protocol.NewFinding(protocol.UnknownField, "A KILL takes a reason only; %s is not kept.", protocol.Brief(key)).
				WithFix("Remove the key, or put what it says into the reason."), w.element(), InPayload(key))
		}
	}
	path := InPayload(ReasonKey)
	switch {
	case reason.isNull():
		b.report(protocol.NewFinding(protocol.MissingRequiredField, "The KILL gives no reason.").
			WithFix(`Add "reason" to the payload: why the item is killed.`), v, path)
	case reason.kind() != strictjson.String:
		b.report(wrongType(ReasonKey, "a string", reason), reason, path)
	case strings.TrimSpace(reason.text()) == "":
		b.report(protocol.NewFinding(protocol.MissingRequiredField, "The reason is blank.").
			WithFix("Say why the item is killed."), reason, path)
	case b.fits(reason, path):
		b.delta.Reason = b.own(reason)
	}
}

func (b *block) reservedField(key string, at value) {
	f := protocol.NewFinding(protocol.ReservedField, "The key %s belongs to the item's bookkeeping.", key)
	if strings.HasPrefix(key, "kill") {
		f = f.WithFix("Remove %s; to kill an item use KILL with a reason.", key)
	}
	b.report(f, at, InPayload(key))
}

// fieldPaths are the paths of the fields in the table, by section and place.
var fieldPaths = func() [][]string {
	paths := make([][]string, len(artifact.Sections()))
	for _, s := range artifact.Sections() {
		for _, f := range s.Fields() {
			paths[s] = append(paths[s], InPayload(f.Name))
		}
	}
	return paths
}()

// fieldState says what the payload has of a field of the section.
type fieldState uint8

const (
	absent fieldState = iota
	given             // set, cleared, or wrong and reported
	blank             // there, but with nothing in it
)

// fieldSet says what a payload has of each field of a section, by its place in the table.
type fieldSet struct {
	state      [maxFields]fieldState
	at         [maxFields]int32 // nodes of blank ones
	replace    [maxFields]bool  // its _replace flag is true
	replaceAll bool
	flagged    bool // any flag is true
}

// maxFields is room for the longest section of the table.
const maxFields = 24

// fieldsPayload reads the fields of an ADD or EDIT.
func (b *block) fieldsPayload(v value) {
	var fields fieldSet
	something := false
	b.delta.Fields = make([]Field, 0, min(countElements(v)/2, maxFields))
	for w := v.children(); w.ok(); w = w.nextMember() {
		key := w.element().text()
		place := b.section.Field(key)
		switch {
		case place >= 0:
			something = true
			b.field(&fields, place, w.member())
		case key == LocalIDKey || b.flag(&fields, key, w.member()): // they set nothing
		case artifact.Reserved(key):
			something = true
			b.reservedField(key, w.element())
		default:
			something = true
			if spec := b.section.OpenField(key); spec != nil {
				b.openField(spec, w)
			} else {
				b.unknownField(key, w)
			}
		}
	}
	if !something {
		b.report(protocol.NewFinding(protocol.EmptyPayload, "The payload sets nothing.").
			WithFix("%s", strings.Replace(b.payloadFix(), "Add ", "Fill ", 1)), v, PayloadKey)
		return
	}
	if fields.flagged {
		b.markReplace(&fields, v)
	}
	if b.operation == Add {
		b.complete(&fields, v)
	}
}

// flag reads a key that says how to merge rather than what; it tells whether the key is one.
func (b *block) flag(fields *fieldSet, key string, v value) bool {
	base, ok := strings.CutSuffix(key, ReplaceSuffix)
	place := -1
	if ok {
		place = b.section.Field(base)
	}
	if place < 0 && key != ReplaceKey {
		return false
	}
	switch {
	case !v.isBool():
		b.report(wrongType(key, "true or false", v), v, InPayload(key))
	case v.kind() == strictjson.False:
	case place < 0:
		fields.replaceAll, fields.flagged = true, true
	default:
		fields.replace[place], fields.flagged = true, true
	}
	return true
}

// markReplace sets Replace on the fields whose flag is true. Replacing a required map by
// cleared keys alone would leave it empty.
func (b *block) markReplace(fields *fieldSet, payload value) {
	for i := range b.delta.Fields {
		f := &b.delta.Fields[i]
		place := b.section.Field(f.Name)
		f.Replace = fields.replaceAll || fields.replace[place]
		spec := &b.section.Fields()[place]
		if m, ok := f.Value.(artifact.Map); ok && f.Replace && spec.Required && len(m) == 0 {
			b.missing(spec, blank, payload)
		}
	}
}

// unknownField keeps a field that no table names, as it was written.
func (b *block) unknownField(key string, w walk) {
	path := InPayload(key)
	v := w.member()
	fate := "it is kept as it is"
	if v.isNull() {
		fate = "null is not kept"
	}
	finding := protocol.NewFinding(protocol.UnknownField, "%s has no field %s; %s.", b.section, protocol.Brief(key), fate)
	if fix := b.unknownFix(key); fix != "" {
		finding = finding.WithFix("%s", fix)
	}
	b.report(finding, w.element(), path)
	b.keepExtra(w, path)
}

// keepExtra keeps a field as it was written, and tells whether it is kept.
func (b *block) keepExtra(w walk, path string) bool {
	v := w.member()
	if v.isNull() && b.operation == Add || !b.fits(v, path) { // null in an ADD is absent
		return false
	}
	b.delta.Extra = append(b.delta.Extra, artifact.Extra{Name: b.own(w.element()), Value: artifact.JSON(strings.Clone(v.compact()))})
	return true
}

// maxSuggestions bounds the search for similar names in one block.
const maxSuggestions = 16

// unknownFix says what an unknown field may be meant to be.
func (b *block) unknownFix(key string) string {
	switch key {
	case RationaleKey, TargetKey, OperationKey, SectionKey:
		return "Move " + key + " out of the payload, beside it."
	}
	if b.suggestions++; b.suggestions > maxSuggestions {
		return ""
	}
	if field, ok := similarField(b.section, key); ok {
		return "If " + field + " is meant, write " + field + "; otherwise leave it: it is kept with the item."
	}
	return ""
}
