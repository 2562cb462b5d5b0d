package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"brenner/internal/protocol"
)

var rawType = reflect.TypeFor[json.RawMessage]()

// body reads the object of a request. The standard decoder would take names in any case, a name
// twice, and text that is not UTF-8.
func (d *decoder) body(data []byte, to reflect.Value) {
	if !utf8.Valid(data) {
		d.report(protocol.InvalidEncoding, "", "The body is not UTF-8.")
		return
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}")
	}
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		d.report(protocol.InvalidJSON, "", "The body is not valid JSON: %v.", err)
		return
	}
	d.value(data, "", to)
}

// value reads a value that is known to be well formed. null is the same as absent.
func (d *decoder) value(raw []byte, path string, to reflect.Value) {
	raw = bytes.TrimSpace(raw)
	if string(raw) == "null" {
		return
	}
	if to.Type() == rawType {
		if len(raw) > maxRaw {
			d.report(protocol.InvalidField, path, "%s is larger than %d KiB.", nameOf(path), maxRaw>>10)
			return
		}
		to.SetBytes(bytes.Clone(raw))
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		d.value(raw, path, to.Elem())
	case reflect.Struct:
		d.object(raw, path, to)
	case reflect.Slice:
		d.list(raw, path, to)
	case reflect.String:
		var text string
		if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
			d.wrong(raw, path, "a string")
			return
		}
		to.SetString(text)
	case reflect.Bool:
		if raw[0] != 't' && raw[0] != 'f' {
			d.wrong(raw, path, "true or false")
			return
		}
		to.SetBool(raw[0] == 't')
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || to.OverflowInt(n) {
			d.wrong(raw, path, "a whole number")
			return
		}
		to.SetInt(n)
	default:
		panic("no rule reads " + to.Type().String()) // a mistake in the route table: the tests read every route
	}
}

// wrong reports a value of another type.
func (d *decoder) wrong(raw []byte, path, want string) {
	d.report(protocol.InvalidField, path, "%s must be %s, not %s.", nameOf(path), want, kindOf(raw))
}

func nameOf(path string) string {
	if path == "" {
		return "The body"
	}
	return path
}

// kindOf is what a person would call a JSON value.
func kindOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	default:
		return "the number " + string(raw[:min(len(raw), 32)])
	}
}

func (d *decoder) object(raw []byte, path string, to reflect.Value) {
	if raw[0] != '{' {
		d.wrong(raw, path, "an object")
		return
	}
	fields := bodyFields(to.Type())
	seen := map[string]bool{}
	in := json.NewDecoder(bytes.NewReader(raw))
	_, _ = in.Token() // the brace
	for in.More() && !d.full() {
		token, err := in.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || in.Decode(&value) != nil {
			return // the text was checked before
		}
		at := join(path, protocol.Brief(name))
		index, known := fields[name]
		switch {
		case seen[name]:
			d.report(protocol.InvalidField, at, "%s is given twice.", at)
		case !known:
			d.report(protocol.UnknownField, at, "There is no field %q here; known are: %s.", at, orNone(names(to.Type())))
		default:
			d.value(value, at, to.Field(index))
		}
		seen[name] = true
	}
}

func (d *decoder) list(raw []byte, path string, to reflect.Value) {
	if raw[0] != '[' {
		d.wrong(raw, path, "a list")
		return
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	_, _ = in.Token() // the bracket
	to.Set(reflect.MakeSlice(to.Type(), 0, 0))
	for i := 0; in.More() && !d.full(); i++ {
		if i == maxElements {
			d.report(protocol.InvalidField, path, "%s has more than %d entries.", nameOf(path), maxElements)
			return
		}
		var value json.RawMessage
		if in.Decode(&value) != nil {
			return // the text was checked before
		}
		to.Set(reflect.Append(to, reflect.Zero(to.Type().Elem())))
		d.value(value, fmt.Sprintf("%s[%d]", path, i), to.Index(i))
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// bodyFields are the places of the fields that a body may have.
func bodyFields(t reflect.Type) map[string]int {
	fields := map[string]int{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = i
		}
	}
	return fields
}

func names(t reflect.Type) []string {
	var list []string
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			list = append(list, name)
		}
	}
	return list
}
