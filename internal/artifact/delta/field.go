package delta

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// field reads a field that the section's table names.
func (b *block) field(fields *fieldSet, place int, v value) {
	spec := &b.section.Fields()[place]
	path := fieldPaths[b.section][place]
	if v.kind() == strictjson.Null {
		fields.state[place] = b.nullField(spec, v, path)
		return
	}
	fields.state[place] = given
	f := Field{Name: spec.Name, Path: path}
	f.Line, f.Column = b.place(int(v.node().start))
	if !b.fieldValue(spec, v, &f) || !b.fits(v, path) {
		return
	}
	if !isBlank(&f) || !spec.Required {
		b.checkSet(spec, v, &f)
		b.delta.Fields = append(b.delta.Fields, f)
		return
	}
	if b.operation == Add {
		fields.state[place], fields.at[place] = blank, v.at
		return
	}
	b.missing(spec, blank, v)
}

// nullField treats null: absent in an ADD, clearing an optional field in an EDIT.
func (b *block) nullField(spec *artifact.FieldSpec, v value, path string) fieldState {
	if b.operation == Add {
		return absent
	}
	if spec.Required {
		b.report(protocol.NewFinding(protocol.InvalidField, "%s is required and cannot be cleared.", spec.Name).
			WithFix("Remove %s, or give it a new value.", spec.Name), v, path)
		return given
	}
	f := Field{Name: spec.Name, Path: path}
	f.Line, f.Column = b.place(int(v.node().start))
	b.delta.Fields = append(b.delta.Fields, f)
	return given
}

// isBlank tells whether a field's value has nothing in it.
func isBlank(f *Field) bool {
	switch v := f.Value.(type) {
	case artifact.Text:
		return strings.TrimSpace(string(v)) == ""
	case artifact.List:
		return !slices.ContainsFunc(v, func(s string) bool { return strings.TrimSpace(s) != "" })
	case artifact.Map:
		return len(v) == 0 && len(f.ClearKeys) == 0
	}
	return false
}

// checkSet refuses a text outside the closed set of its field.
func (b *block) checkSet(spec *artifact.FieldSpec, v value, f *Field) {
	if len(spec.Values) == 0 || slices.Contains(spec.Values, v.text()) {
		return
	}
	finding := protocol.NewFinding(protocol.InvalidField, "%s cannot be %s.", spec.Name, protocol.Brief(v.raw())).
		WithFix("Use one of %s.", strings.Join(spec.Values, ", "))
	for _, allowed := range spec.Values {
		if strings.EqualFold(allowed, strings.TrimSpace(v.text())) {
			finding = finding.WithFix(`Write "%s".`, allowed)
		}
	}
	b.report(finding, v, f.Path)
}

// fits refuses a value longer than a field may be: a string by its text, anything else by
// its JSON without space (PROTOCOL 6, limits).
func (b *block) fits(v value, path string) bool {
	size := len(v.text())
	if v.kind() != strictjson.String {
		if size = len(v.raw()); size > artifact.MaxFieldBytes {
			size = len(v.compact())
		}
	}
	if size <= artifact.MaxFieldBytes {
		return true
	}
	b.report(protocol.NewFinding(protocol.FieldTooLong, "%s has %d bytes; at most %d are kept.", path, size,
		artifact.MaxFieldBytes), v, path)
	return false
}

// fieldValue reads a value by the kind of its field; it tells whether the value has its
// type, and reports it if not.
func (b *block) fieldValue(spec *artifact.FieldSpec, v value, f *Field) bool {
	switch spec.Kind {
	case artifact.KindText:
		return b.textValue(spec, v, f)
	case artifact.KindFlag:
		return b.flagValue(v, f)
	case artifact.KindList:
		return b.listValue(v, f)
	case artifact.KindMap:
		return b.mapValue(v, f)
	case artifact.KindScore:
		return b.scoreValue(v, f)
	case artifact.KindReferences:
		return b.referencesValue(v, f)
	}
	f.Value = artifact.JSON(strings.Clone(v.compact()))
	return true
}

func (b *block) textValue(spec *artifact.FieldSpec, v value, f *Field) bool {
	if v.kind() != strictjson.String {
		b.report(wrongType(f.Name, "a string", v), v, f.Path)
		return false
	}
	f.Value = artifact.Text(b.own(v))
	if spec.Name == artifact.Discriminates {
		b.useWords(v, f.Path)
	}
	return true
}

func (b *block) flagValue(v value, f *Field) bool {
	if !v.isBool() {
		b.report(wrongType(f.Name, "true or false", v), v, f.Path)
		return false
	}
	f.Value = artifact.Flag(v.kind() == strictjson.True)
	return true
}

func (b *block) listValue(v value, f *Field) bool {
	if v.kind() != strictjson.Array {
		b.report(notAList(f.Name, v), v, f.Path)
		return false
	}
	list, valid := make(artifact.List, 0, countElements(v)), true
	for i, w := 0, v.children(); w.ok(); i, w = i+1, w.next() {
		element := w.element()
		if element.kind() != strictjson.String {
			b.report(wrongType(Element(f.Name, i), "a string", element), element, Element(f.Path, i))
			valid = false
			continue
		}
		b.useHandleAt(element, f.Path, i)
		list = append(list, b.own(element))
	}
	f.Value = list
	return valid
}

// notAList is the finding for a value that stands where a list of strings should.
func notAList(name string, v value) protocol.Finding {
	finding := wrongType(name, "a list of strings", v)
	if v.kind() == strictjson.String {
		finding = finding.WithFix("Put it into brackets: [%s].", protocol.Brief(v.raw()))
	}
	return finding
}

// countElements counts the elements of a list, or keys and values of an object.
func countElements(v value) int {
	n := 0
	for w := v.children(); w.ok(); w = w.next() {
		n++
	}
	return n
}

func (b *block) mapValue(v value, f *Field) bool {
	if v.kind() != strictjson.Object {
		b.report(wrongType(f.Name, "an object of strings", v), v, f.Path)
		return false
	}
	pairs, valid := make([]artifact.Pair, 0, countElements(v)/2), true
	for w := v.children(); w.ok(); w = w.nextMember() {
		key, text := w.element(), w.member()
		b.useHandleIn(key, f.Path)
		switch {
		case text.kind() == strictjson.String:
			pairs = append(pairs, artifact.Pair{Key: b.own(key), Text: b.own(text)})
		case text.kind() == strictjson.Null && b.operation == Edit:
			f.ClearKeys = append(f.ClearKeys, b.own(key))
		default:
			b.report(wrongType(f.Name+"."+protocol.Brief(key.text()), "a string", text), text, f.Path+"."+key.text())
			valid = false
		}
	}
	f.Value = artifact.NewMap(pairs...)
	return valid
}
