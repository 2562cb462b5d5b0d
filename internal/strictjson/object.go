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

	name []byte
}

// NewObjects returns a reader of objects.
func NewObjects() *Objects { return &Objects{} }

// Members calls member for each member of the object in the order of the text, in one pass. name and value
// are valid during the call; value is as it is written. It returns false if the text is not one JSON object,
// which may be after some calls.
func (o *Objects) Members(text []byte, member func(name, value []byte)) bool {
	if o.AnyText {
		return o.members(text, member)
	}
	at := space(text, 0)
	if at == len(text) || text[at] != '{' {
		return false
	}
	if at = space(text, at+1); at < len(text) && text[at] == '}' {
		return space(text, at+1) == len(text)
	}
	for {
		from := nameEnd(text, at)
		if from < 0 {
			return false
		}
		end := valueEnd(text, from, 1)
		if end < 0 {
			return false
		}
		name, _ := stringEnd(text, at)
		o.name = AppendText(o.name[:0], text[at:name])
		member(o.name, text[from:end])
		at = space(text, end)
		switch {
		case at == len(text):
			return false
		case text[at] == '}':
			return space(text, at+1) == len(text)
		case text[at] != ',':
			return false
		}
		at = space(text, at+1)
	}
}

// members is Members by the library, which can read what is not Unicode.
func (o *Objects) members(text []byte, member func(name, value []byte)) bool {
	return parts(text, '{', func(name, value []byte) {
		o.name = AppendText(o.name[:0], name)
		member(o.name, value)
	})
}

// Parts calls part for each member of an object, or for each element of a list, in the order of the text. name is a member's as it is
// written, in its marks, and nil for an element; both are valid during the call. What is not Unicode may stand in it. It returns false if
// the text is not one object or list, which may be after some calls.
func Parts(text []byte, part func(name, value []byte)) bool {
	return parts(text, '{', part) || parts(text, '[', part)
}

// parts reads a text that begins with a brace or a bracket.
func parts(text []byte, begin jsontext.Kind, part func(name, value []byte)) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != begin {
		return false
	}
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	var name []byte
	for dec.PeekKind() != begin+2 { // the closing one
		value, err := dec.ReadValue()
		if err != nil {
			return false
		}
		if begin == '{' {
			name = append(name[:0], value...)
			if value, err = dec.ReadValue(); err != nil {
				return false
			}
		}
		part(name, value)
	}
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	_, err := dec.ReadToken()
	return errors.Is(err, io.EOF)
}
