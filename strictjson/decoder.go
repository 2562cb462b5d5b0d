package strictjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads the tokens of JSON texts, one text after the other. It is strict as RFC 7493 is: no duplicate
// names, no invalid UTF-8, no half of a surrogate pair. It belongs to one goroutine.
type Decoder struct {
	dec *jsontext.Decoder
	buf bytes.Buffer
}

// NewDecoder returns a decoder without a text.
func NewDecoder() *Decoder {
	d := &Decoder{}
	d.dec = jsontext.NewDecoder(&d.buf)
	return d
}

// Reset begins a text.
func (d *Decoder) Reset(text string) {
	d.buf.Reset()
	d.buf.WriteString(text)
	d.dec.Reset(&d.buf)
}

// Size is how many bytes the decoder holds on to.
func (d *Decoder) Size() int { return d.buf.Cap() }

// Next reads a token: raw is a string or number as it is written, nil for every other kind, and valid until
// the next call. The error is io.EOF after the last token; see Reason and its neighbours for the others.
func (d *Decoder) Next() (k Kind, raw []byte, err error) {
	kind := d.dec.PeekKind()
	if kind == '"' || kind == '0' {
		raw, err = d.dec.ReadValue()
	} else {
		_, err = d.dec.ReadToken()
	}
	return Kind(kind), raw, err
}

// Offset is where the last token ends.
func (d *Decoder) Offset() int { return int(d.dec.InputOffset()) }

// AppendText appends what a string says, without its quotes and escapes. raw is one that was read.
func AppendText(to, raw []byte) ([]byte, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return append(to, raw[1:len(raw)-1]...), nil
	}
	return jsontext.AppendUnquote(to, raw)
}

// Compact returns a value that was read without insignificant space.
func Compact(raw string) string {
	v := jsontext.Value(raw)
	if err := v.Compact(); err != nil {
		return raw // it was read before: it is valid
	}
	return string(v)
}
