package delta

import (
	"errors"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
	"brenner/internal/strictjson"
)

// doubt is what the door refuses a block for and the fold does not: an open field in another form than the table's, or a
// handle in one that no ADD of the message defines.
type doubt struct {
	block   int // from 1
	finding protocol.Finding
}

// AtDoor returns the reading as the door judges it. A fold never rejects a block for its open fields (SCIENCE, preamble):
// what stands in a thread already is read without this.
func (r Reading) AtDoor() Reading {
	if len(r.doubts) == 0 {
		return r
	}
	r.Receipt.Blocks = slices.Clone(r.Receipt.Blocks)
	for i := range r.Receipt.Blocks {
		r.Receipt.Blocks[i].Findings = slices.Clip(r.Receipt.Blocks[i].Findings)
	}
	for _, d := range r.doubts {
		if d.finding.Severity == protocol.SeverityError {
			r.Receipt.Reject(d.block, d.finding)
		} else {
			r.Receipt.Note(d.block, d.finding)
		}
	}
	r.Deltas = slices.DeleteFunc(slices.Clone(r.Deltas), func(d Delta) bool { return r.Receipt.Blocks[d.Block-1].Status == Rejected })
	return r
}

// doubt notes what is wrong with a value for the door.
func (b *block) doubt(f protocol.Finding, v value, path string) {
	b.doubtAt(f.In(path), v.node().start)
}

func (b *block) doubtAt(f protocol.Finding, offset int32) {
	f = f.At(b.place(int(offset)))
	if b.reader.lenient() {
		f = f.Lowered()
	}
	b.reader.doubts = append(b.reader.doubts, doubt{b.receipt.Index, f})
}

// openField keeps an open field as it was written, and notes for the door what is wrong with its form.
func (b *block) openField(spec *artifact.FieldSpec, w walk) {
	v, path := w.member(), InPayload(spec.Name)
	if b.keepExtra(w, path) && !v.isNull() {
		b.openForm(spec, v, path)
	}
}

func (b *block) openForm(spec *artifact.FieldSpec, v value, path string) {
	switch {
	case spec.Kind == artifact.KindJSON && v.kind() != strictjson.Object:
		b.doubt(wrongType(spec.Name, "an object", v), v, path)
	case spec.Name == artifact.Quantity:
		b.openQuantity(v, path)
	case spec.Kind == artifact.KindText && v.kind() != strictjson.String:
		b.doubt(wrongType(spec.Name, "a string", v), v, path)
	case spec.Kind == artifact.KindText:
		if name, ok := Handle(v.text()); ok {
			b.openUses = append(b.openUses, use{name, path, v.node().start, asMention})
		}
	case spec.Kind == artifact.KindList:
		b.openList(spec, v, path)
	}
}

// openQuantity judges what a test says that it measures (SCIENCE 4).
func (b *block) openQuantity(v value, path string) {
	_, err := quantity.Read([]byte(v.compact()))
	var fault *quantity.FormError
	if !errors.As(err, &fault) {
		return
	}
	at := v
	for w := v.children(); w.ok() && fault.Member != ""; w = w.nextMember() {
		if w.element().text() == fault.Member {
			at = w.member()
			path += "." + protocol.Brief(fault.Member)
			break
		}
	}
	b.doubt(protocol.NewFinding(protocol.InvalidField, "The quantity is not read: %s.", fault.Message).
		WithFix(`Write such as {"unit": "h", "range": [40, 100], "scale": "linear", "sd": 2, "name": "time to fate"}; only the range `+
			`must be there.`), at, path)
}

// openList judges a list of strings whose words may be handles.
func (b *block) openList(spec *artifact.FieldSpec, v value, path string) {
	if v.kind() != strictjson.Array {
		b.doubt(notAList(spec.Name, v), v, path)
		return
	}
	for i, w := 0, v.children(); w.ok(); i, w = i+1, w.next() {
		element := w.element()
		if element.kind() != strictjson.String {
			b.doubt(wrongType(Element(spec.Name, i), "a string", element), element, Element(path, i))
			return // one is enough to refuse the block; a list may have many
		}
		for _, name := range handleWords(element.text()) {
			b.openUses = append(b.openUses, use{name, Element(path, i), element.node().start, asMention})
		}
	}
}

// doubtHandles notes the handles of open fields that no accepted ADD of the message defines.
func (r *reader) doubtHandles(defined map[string]*definition) {
	for i := range r.blocks {
		b := &r.blocks[i]
		for _, u := range b.openUses {
			if d := defined[u.name]; d == nil || d.block.rejected() {
				b.doubtAt(protocol.NewFinding(protocol.UnknownHandle, "No ADD of this message defines @%s.", protocol.Brief(u.name)).
					In(u.path), u.offset)
				break
			}
		}
	}
}

// ResolveOpen puts item ids where an open field of a section has handles: as the whole text, or as words of the texts of
// a list (PROTOCOL 5, local handles). What the function does not know stays as it was written.
func ResolveOpen(s artifact.Section, e artifact.Extra, item func(name string) (string, bool)) artifact.Extra {
	spec := s.OpenField(e.Name)
	if spec == nil || !strings.Contains(string(e.Value), "@") {
		return e
	}
	written := spec.ReadOpen(e.Value)
	next := written
	switch v := written.(type) {
	case artifact.Text:
		if name, ok := Handle(string(v)); ok {
			if id, known := item(name); known {
				next = artifact.Text(id)
			}
		}
	case artifact.List:
		list := make(artifact.List, len(v))
		for i, text := range v {
			list[i] = ReplaceHandles(text, item)
		}
		next = list
	}
	if !artifact.Equal(written, next) {
		e.Value = artifact.JSON(artifact.AppendValue(nil, next))
	}
	return e
}
