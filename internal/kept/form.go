// Package kept is the binary form in which derived data is kept beside the log. One description serves writing and reading, so that
// the two cannot disagree. It is pure.
package kept

import (
	"encoding/binary"
	"fmt"
	"time"

	"brenner/internal/protocol"
)

// Form writes values or reads them. Writing changes none of them: what is written may be read by others meanwhile. Numbers are
// varints; a text that occurs again is a reference to its first occurrence.
type Form struct {
	reading bool
	out     []byte
	in      string // what is left to read: texts are pieces of it, which copies none of them
	err     error

	texts  map[string]uint64
	byText []string
}

// Writer returns a form that writes after a head.
func Writer(head []byte) *Form { return &Form{out: head, texts: map[string]uint64{}} }

// Reader returns a form that reads what another one wrote.
func Reader(data string) *Form { return &Form{reading: true, in: data} }

// Reading tells whether values are read.
func (f *Form) Reading() bool { return f.reading }

// Bytes is what was written.
func (f *Form) Bytes() []byte { return f.out }

// Left is how many bytes are left to read.
func (f *Form) Left() int { return len(f.in) }

// Err says what is wrong with the data that was read; nil: nothing.
func (f *Form) Err() error { return f.err }

// End returns Err, and an error if something is left to read.
func (f *Form) End() error {
	if f.err == nil && len(f.in) > 0 {
		f.Fail("bytes are left over")
	}
	return f.err
}

// Fail says that what is read is of no form. Nothing is read from then on.
func (f *Form) Fail(what string) {
	if f.err == nil {
		f.err = fmt.Errorf("%s", what)
	}
	f.in = ""
}

// Uint is a number.
func (f *Form) Uint(v *uint64) {
	if !f.reading {
		f.out = binary.AppendUvarint(f.out, *v)
		return
	}
	*v = f.readUint()
}

func (f *Form) readUint() uint64 {
	var n uint64
	for i := range min(len(f.in), binary.MaxVarintLen64) {
		b := f.in[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if i == binary.MaxVarintLen64-1 && b > 1 {
				break // more than 64 bits
			}
			f.in = f.in[i+1:]
			return n
		}
	}
	f.Fail("a number is cut off")
	return 0
}

// Int64 is a number with a sign.
func (f *Form) Int64(v *int64) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	f.Uint(&u)
	if f.reading {
		*v = int64(u>>1) ^ -int64(u&1)
	}
}

// Int is a number with a sign.
func (f *Form) Int(v *int) {
	wide := int64(*v)
	f.Int64(&wide)
	if f.reading {
		*v = int(wide)
	}
}

// Bool is a truth.
func (f *Form) Bool(v *bool) {
	var u uint64
	if *v {
		u = 1
	}
	f.Uint(&u)
	if f.reading {
		*v = u == 1
	}
}

// Text writes 0 and the bytes of a new text, or one more than the number of a known one.
func (f *Form) Text(v *string) {
	if f.reading {
		f.readText(v)
		return
	}
	ref := f.texts[*v]
	f.Uint(&ref)
	if ref > 0 {
		return
	}
	f.texts[*v] = uint64(len(f.texts)) + 1
	n := uint64(len(*v))
	f.Uint(&n)
	f.out = append(f.out, *v...)
}

func (f *Form) readText(v *string) {
	var ref, n uint64
	f.Uint(&ref)
	if ref > 0 {
		if ref > uint64(len(f.byText)) {
			f.Fail("a text refers to none")
			return
		}
		*v = f.byText[ref-1]
		return
	}
	f.Uint(&n)
	if n > uint64(len(f.in)) {
		f.Fail("a text is cut off")
		return
	}
	*v, f.in = f.in[:n], f.in[n:]
	f.byText = append(f.byText, *v)
}

// Time is an instant.
func (f *Form) Time(v *time.Time) {
	seconds, nanos := v.Unix(), int64(v.Nanosecond())
	f.Int64(&seconds)
	f.Int64(&nanos)
	if f.reading {
		*v = time.Unix(seconds, nanos).UTC()
	}
}

// Finding is a finding. What to do about it as data is not kept: it is the table's, where the fix is.
func (f *Form) Finding(v *protocol.Finding) {
	Named(f, &v.Code)
	Named(f, &v.Severity)
	f.Text(&v.Message)
	f.Text(&v.Item)
	f.Text(&v.Path)
	f.Int(&v.Line)
	f.Int(&v.Column)
	f.Text(&v.Fix)
	if f.reading {
		*v = v.Restored()
	}
}

// List writes a list, element by element. A length is believed only as far as there are
// bytes: every element takes at least one.
func List[T any](f *Form, v *[]T, element func(*T)) {
	n := uint64(len(*v))
	f.Uint(&n)
	if f.reading {
		if n > uint64(len(f.in)) {
			f.Fail("a list is cut off")
			return
		}
		if n == 0 {
			*v = nil
			return
		}
		*v = make([]T, n)
	}
	for i := range *v {
		if f.err != nil {
			return
		}
		element(&(*v)[i])
	}
}

// Named is a value of a type whose underlying type is a string.
func Named[T ~string](f *Form, v *T) {
	text := string(*v)
	f.Text(&text)
	if f.reading {
		*v = T(text)
	}
}
