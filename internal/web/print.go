package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"
)

// fingerprint tells apart what a template would show differently: all of its data, in fields that are
// seen or not, and how long ago each time in it is said to be.
func fingerprint(now time.Time, page, name string, data any) [sha256.Size]byte {
	p := prints.Get().(*printer)
	defer prints.Put(p)
	p.buf, p.now = p.buf[:0], now
	p.text(page)
	p.text(name)
	p.value(addressable(data))
	return sha256.Sum256(p.buf)
}

var prints = sync.Pool{New: func() any { return &printer{} }}

// printer writes values one after another, each with its length or kind before it, so that different
// data never reads the same.
type printer struct {
	buf []byte
	now time.Time
}

// addressable copies the data, so that arrays of bytes need not be read one by one.
func addressable(data any) reflect.Value {
	v := reflect.ValueOf(data)
	if !v.IsValid() || v.Kind() == reflect.Pointer {
		return v
	}
	place := reflect.New(v.Type()).Elem()
	place.Set(v)
	return place
}

func (p *printer) number(n uint64) { p.buf = binary.AppendUvarint(p.buf, n) }

func (p *printer) text(s string) {
	p.number(uint64(len(s)))
	p.buf = append(p.buf, s...)
}

var timeType = reflect.TypeFor[time.Time]()

func (p *printer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		p.buf = append(p.buf, 0)
	case reflect.String:
		p.string(v.String())
	case reflect.Bool:
		p.text(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.number(v.Uint())
	case reflect.Struct:
		p.fields(v)
	case reflect.Slice, reflect.Array:
		p.elements(v)
	case reflect.Map:
		p.entries(v)
	case reflect.Pointer, reflect.Interface:
		p.behind(v)
	default: // numbers with a point, and nothing that a template shows
		p.text(fmt.Sprint(v))
	}
}

// string writes a text; one that is a time grows older as a time does.
func (p *printer) string(s string) {
	p.text(s)
	if len(s) >= len("2006-01-02T15:04:05Z") && len(s) <= len(time.RFC3339Nano) && s[4] == '-' && s[10] == 'T' {
		p.text(ago(s, p.now))
	}
}

func (p *printer) fields(v reflect.Value) {
	if v.Type() == timeType {
		p.time(v)
		return
	}
	n := v.NumField() // an iterator would make something for each
	for i := range n {
		p.value(v.Field(i))
	}
}

// time writes a time as the templates show it. One in a hidden field is only told apart.
func (p *printer) time(v reflect.Value) {
	if !v.CanInterface() {
		for i := range v.NumField() - 1 {
			p.value(v.Field(i))
		}
		return
	}
	t := v.Interface().(time.Time)
	p.number(uint64(t.Unix()))
	p.number(uint64(t.Nanosecond()))
	p.text(ago(t, p.now))
}

func (p *printer) elements(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		p.buf = append(p.buf, 0)
		return
	}
	p.number(uint64(v.Len()) + 1)
	if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
		p.buf = append(p.buf, v.Bytes()...)
		return
	}
	for i := range v.Len() {
		p.value(v.Index(i))
	}
}

// entries writes a map in an order that is always the same.
func (p *printer) entries(v reflect.Value) {
	written := make([][]byte, 0, v.Len())
	start := len(p.buf)
	for entries := v.MapRange(); entries.Next(); {
		p.value(entries.Key())
		p.value(entries.Value())
		written = append(written, bytes.Clone(p.buf[start:]))
		p.buf = p.buf[:start]
	}
	slices.SortFunc(written, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) })
	p.number(uint64(len(written)))
	for _, w := range written {
		p.buf = append(p.buf, w...)
	}
}

// behind writes what a pointer or an interface leads to.
func (p *printer) behind(v reflect.Value) {
	if v.IsNil() {
		p.buf = append(p.buf, 0)
		return
	}
	p.buf = append(p.buf, 1)
	if v.Kind() == reflect.Interface {
		p.text(v.Elem().Type().String())
	}
	p.value(v.Elem())
}
