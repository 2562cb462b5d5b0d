package strictjson

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads the tokens of JSON texts, one text after the other. It is strict as RFC 7493 is: no duplicate
// names, no invalid UTF-8, no half of a surrogate pair. It belongs to one goroutine.
//
// It reads the text itself, which takes a fraction of the library's time, and asks the library what is wrong
// with a text that it cannot read. FuzzDecoder holds the two together.
type Decoder struct {
	text   string
	at     int // behind the last token
	tokens int
	escape bool // the last token is a string with escapes
	open   []container
	names  []string // of the open objects
}

// container is an object or list that is being read.
type container struct {
	object bool
	named  bool // the value of a name comes next
	filled bool // it has a member or element
	first  int  // place of its first name in Decoder.names
	seen   map[string]bool
}

// NewDecoder returns a decoder without a text.
func NewDecoder() *Decoder { return &Decoder{} }

// Reset begins a text.
func (d *Decoder) Reset(text string) {
	d.text, d.at, d.tokens = text, 0, 0
	d.open, d.names = d.open[:0], d.names[:0]
}

// Forget lets go of the last text, so that an idle decoder keeps nothing in memory.
func (d *Decoder) Forget() {
	clear(d.open[:cap(d.open)])
	clear(d.names[:cap(d.names)])
	d.Reset("")
}

// Size is about how many bytes the decoder holds on to, beside the text.
func (d *Decoder) Size() int { return 32*cap(d.open) + 16*cap(d.names) }

// Offset is where the last token ends.
func (d *Decoder) Offset() int { return d.at }

// Escaped tells whether the last token is a string with escapes.
func (d *Decoder) Escaped() bool { return d.escape }

// Next reads a token: raw is a string or number as it is written, empty for every other kind. The error is
// io.EOF after the last token; see Reason and its neighbours for the others.
func (d *Decoder) Next() (k Kind, raw string, err error) {
	at := space(d.text, d.at)
	if len(d.open) == 0 {
		switch {
		case at == len(d.text):
			return 0, "", io.EOF
		case d.tokens > 0:
			return d.ask() // a second value
		}
		return d.value(at)
	}
	top := &d.open[len(d.open)-1]
	switch {
	case at == len(d.text):
		return d.fail()
	case top.named:
		if d.text[at] != ':' {
			return d.fail()
		}
		top.named = false
		return d.value(space(d.text, at+1))
	case d.text[at] == top.closing():
		return d.close(at)
	case top.filled:
		if d.text[at] != ',' {
			return d.fail()
		}
		at = space(d.text, at+1)
	}
	top.filled = true
	if top.object {
		return d.name(top, at)
	}
	return d.value(at)
}

func (c *container) closing() byte {
	if c.object {
		return '}'
	}
	return ']'
}

// token notes that a token ends at a place.
func (d *Decoder) token(k Kind, start, end int) (Kind, string, error) {
	d.at = end
	d.tokens++
	if k == '"' || k == '0' {
		return k, d.text[start:end], nil
	}
	return k, "", nil
}

func (d *Decoder) close(at int) (Kind, string, error) {
	top := d.open[len(d.open)-1]
	d.open, d.names = d.open[:len(d.open)-1], d.names[:top.first]
	return d.token(Kind(d.text[at]), at, at+1)
}

// value reads the value, or its opening bracket, at a place.
func (d *Decoder) value(at int) (Kind, string, error) {
	if at == len(d.text) {
		return d.fail()
	}
	c, end := d.text[at], -1
	switch c {
	case '"':
		end, d.escape = stringEnd(d.text, at)
	case '{', '[':
		if len(d.open) < maxNesting {
			d.open, end = append(d.open, container{object: c == '{', first: len(d.names)}), at+1
		}
	case 't', 'f', 'n':
		end = literalEnd(d.text, at)
	default:
		c, end = '0', numberEnd(d.text, at)
	}
	if end < 0 {
		return d.fail()
	}
	return d.token(Kind(c), at, end)
}

// few is how many names of an object are compared one by one.
const few = 16

// name reads the name of a member.
func (d *Decoder) name(top *container, at int) (Kind, string, error) {
	if at == len(d.text) || d.text[at] != '"' {
		return d.fail()
	}
	end, escaped := stringEnd(d.text, at)
	if end < 0 {
		return d.fail()
	}
	name := d.text[at+1 : end-1]
	if escaped {
		name = string(appendText(nil, name))
	}
	if top.has(d.names[top.first:], name) {
		return d.fail()
	}
	d.names = append(d.names, name)
	top.named, d.escape = true, escaped
	return d.token('"', at, end)
}

// has tells whether one of the names of the container is a name, and notes that name if they are many.
func (c *container) has(names []string, name string) bool {
	if len(names) < few {
		return slices.Contains(names, name)
	}
	if c.seen == nil {
		c.seen = make(map[string]bool, 2*few)
		for _, other := range names {
			c.seen[other] = true
		}
	}
	known := c.seen[name]
	c.seen[name] = true
	return known
}

// errUnread is for a text that only the library can read, which FuzzDecoder has not found yet.
var errUnread = errors.New("the text cannot be read")

// fail asks the library what is wrong with the next token.
func (d *Decoder) fail() (Kind, string, error) {
	_, _, err := d.ask()
	if err == nil {
		err = errUnread
	}
	return 0, "", err
}

// ask reads the next token with the library, and those before it.
func (d *Decoder) ask() (k Kind, raw string, err error) {
	dec := jsontext.NewDecoder(strings.NewReader(d.text))
	for range d.tokens + 1 {
		if k, raw, err = nextToken(dec); err != nil {
			return 0, "", err
		}
	}
	return k, raw, nil
}

func nextToken(dec *jsontext.Decoder) (k Kind, raw string, err error) {
	kind := dec.PeekKind()
	if kind == '"' || kind == '0' {
		value, err := dec.ReadValue()
		return Kind(kind), string(value), err
	}
	_, err = dec.ReadToken()
	return Kind(kind), "", err
}

// AppendText appends what a string says, without its quotes and escapes. raw is one that was read.
func AppendText[T text](to []byte, raw T) []byte { return appendText(to, raw[1:len(raw)-1]) }

// appendText appends what is between the quotes of a string. What is no escape, such as half of a surrogate
// pair in a text that was read with AnyText, becomes U+FFFD.
func appendText[T text](to []byte, inner T) []byte {
	n := len(to)
	to = append(to, inner...) // no escape is shorter than what it says
	for i := 0; i < len(inner); {
		if c := inner[i]; c != '\\' {
			to[n] = c
			i, n = i+1, n+1
			continue
		}
		r, size := escape(inner, i)
		if size == 0 {
			r, size = utf8.RuneError, 6
		}
		n = len(utf8.AppendRune(to[:n], r))
		i += size
	}
	return to[:n]
}

// Compact returns a value that was read without insignificant space.
func Compact(raw string) string {
	v := jsontext.Value(raw)
	if err := v.Compact(); err != nil {
		return raw // it was read before: it is valid
	}
	return string(v)
}
