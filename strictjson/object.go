package strictjson

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Objects reads texts that are one object each. A name may come twice. It belongs to one goroutine.
type Objects struct {
	// AnyText reads text that is not Unicode, bytes and half surrogate pairs, as U+FFFD; otherwise it fails.
	AnyText bool

	dec  *jsontext.Decoder
	buf  bytes.Buffer
	name []byte
}

// NewObjects returns a reader of objects.
func NewObjects() *Objects {
	o := &Objects{}
	o.dec = jsontext.NewDecoder(&o.buf)
	return o
}

// Members calls member for each member of the object in the order of the text, in one pass. name and value
// are valid during the call; value is as it is written. It returns false if the text is not one JSON object,
// which may be after some calls.
func (o *Objects) Members(text []byte, member func(name, value []byte)) bool {
	o.buf = *bytes.NewBuffer(text)
	o.dec.Reset(&o.buf, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(o.AnyText))
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
