package artifact

import (
	"encoding/json"
	"strings"
)

// openFields are the fields of PROTOCOL 6 that joined the tables after threads had used their names for fields of their
// own. So that no artifact, hash or conflict of those threads changes, an open field is kept and merged as a field that
// no table names: as it was written, and overwritten whole. In another form than the table's it is read as not there;
// only the door refuses it (SCIENCE, preamble).
var openFields = [sectionCount][]FieldSpec{
	HypothesisSlate:     {list(KilledIf, "Killed if")},
	PredictionsTable:    {text(Test, "Test")},
	DiscriminativeTests: {anyJSON(Quantity, "Quantity")},
}

// OpenField returns the open field of a section by its name, nil if there is none.
func (s Section) OpenField(name string) *FieldSpec {
	for i := range openFields[s] {
		if openFields[s][i].Name == name {
			return &openFields[s][i]
		}
	}
	return nil
}

// ReadOpen returns what an open field says: Text, a List, or the JSON of an object, by the kind of the field. It returns
// nil for a value of another form.
func (f *FieldSpec) ReadOpen(written JSON) Value {
	switch f.Kind {
	case KindText:
		var text *string
		if json.Unmarshal([]byte(written), &text) == nil && text != nil {
			return Text(*text)
		}
	case KindList:
		return readOpenList(written)
	case KindJSON:
		if strings.HasPrefix(string(written), "{") {
			return written
		}
	}
	return nil
}

func readOpenList(written JSON) Value {
	var texts []*string
	if json.Unmarshal([]byte(written), &texts) != nil || texts == nil {
		return nil
	}
	list := make(List, 0, len(texts))
	for _, text := range texts {
		if text == nil {
			return nil
		}
		list = append(list, *text)
	}
	return list
}

// open returns the value of an open field, nil if it is absent or has another form.
func (it *Item) open(name string) Value {
	spec := it.Section.OpenField(name)
	if spec == nil {
		return nil
	}
	for i := range it.extra {
		if it.extra[i].Name == name {
			return spec.ReadOpen(it.extra[i].Value)
		}
	}
	return nil
}
