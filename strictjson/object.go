package strictjson

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Objects reads texts that are one object each, with tolerance for what programs write: a name may come
// twice, and half of a surrogate pair is read as U+FFFD. It belongs to one goroutine.
type Objects struct {
	dec  *jsontext.Decoder
	name []byte
}

// NewObjects returns a reader of objects.
func NewObjects() *Objects {
	return &Objects{dec: jsontext.NewDecoder(bytes.NewBuffer(nil))}
}

// Members calls member for each member of the object in the order of the text, in one pass. name and value
// are valid during the call; value is as it is written. It returns false if the text is not one JSON object,
// which may be after some calls.
func (o *Objects) Members(text []byte, member func(name, value []byte)) bool {
	o.dec.Reset(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := o.dec.ReadToken(); err != nil || t.Kind() != '{' {
		return false
	}
	for o.dec.PeekKind() == '"' {
		raw, err := o.dec.ReadValue()
		if err != nil {
			return false
		}
		o.name, _ = AppendText(o.name[:0], raw) // the error is half of a surrogate pair
		value, err := o.dec.ReadValue()
		if err != nil {
			return false
		}
		member(o.name, value)
	}
	if t, err := o.dec.ReadToken(); err != nil || t.Kind() != '}' {
		return false
	}
	_, err := o.dec.ReadToken()
	return errors.Is(err, io.EOF)
}
