package web

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"
)

// partKey names a view by every value in it, so that views with the same key look the same (TestKeysTellViewsApart). Each text and list
// is written with its length before it, so that different values never read the same.
type partKey struct {
	buf []byte
	now time.Time
}

func (k *partKey) sum() [sha256.Size]byte { return sha256.Sum256(k.buf) }

// text writes a text. One that is a time is shown as how long ago that was, and that is written as well.
func (k *partKey) text(s string) {
	k.buf = append(binary.AppendUvarint(k.buf, uint64(len(s))), s...)
	if len(s) >= len("2006-01-02T15:04:05Z") && len(s) <= len(time.RFC3339Nano) && s[4] == '-' && s[10] == 'T' {
		k.buf = append(k.buf, ago(s, k.now)...)
	}
}

func (k *partKey) number(n int64) { k.buf = binary.AppendVarint(k.buf, n) }

// time writes a time as pages show it: how long ago it was is part of that.
func (k *partKey) time(t time.Time) {
	k.number(t.Unix())
	k.number(int64(t.Nanosecond()))
	k.text(ago(t, k.now))
}

// write writes any value.
func (k *partKey) write(v any) {
	if v == nil {
		k.number(0)
		return
	}
	value := reflect.ValueOf(v)
	writerOf(value.Type())(k, value)
}

// A writer writes the values of one type. They are made once for each type.
type writer func(k *partKey, v reflect.Value)

var writers sync.Map // of writer by reflect.Type

func writerOf(t reflect.Type) writer {
	if known, ok := writers.Load(t); ok {
		return known.(writer)
	}
	var made writer
	once := sync.OnceFunc(func() { made = newWriter(t) })
	known, _ := writers.LoadOrStore(t, writer(func(k *partKey, v reflect.Value) { // a type may hold itself
		once()
		made(k, v)
	}))
	return known.(writer)
}

func newWriter(t reflect.Type) writer {
	if t == reflect.TypeFor[time.Time]() {
		return writeTime
	}
	switch t.Kind() {
	case reflect.String:
		return func(k *partKey, v reflect.Value) { k.text(v.String()) }
	case reflect.Bool:
		return func(k *partKey, v reflect.Value) { k.flag(v.Bool()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(k *partKey, v reflect.Value) { k.number(v.Int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(k *partKey, v reflect.Value) { k.buf = binary.AppendUvarint(k.buf, v.Uint()) }
	case reflect.Float32, reflect.Float64:
		return func(k *partKey, v reflect.Value) { k.buf = binary.AppendUvarint(k.buf, math.Float64bits(v.Float())) }
	case reflect.Pointer:
		return pointerWriter(writerOf(t.Elem()))
	case reflect.Slice, reflect.Array:
		return listWriter(writerOf(t.Elem()))
	case reflect.Map:
		return mapWriter(writerOf(t.Key()), writerOf(t.Elem()))
	case reflect.Struct:
		return structWriter(t)
	case reflect.Interface:
		return writeInterface
	default: // a function shows nothing of its own
		return func(k *partKey, v reflect.Value) { k.flag(v.IsNil()) }
	}
}

func (k *partKey) flag(f bool) { k.number(flags[f]) }

var flags = map[bool]int64{true: 1}

func writeTime(k *partKey, v reflect.Value) {
	if v.CanInterface() {
		k.time(v.Interface().(time.Time))
		return
	}
	for i := range 2 { // a hidden one is not shown as a time
		field := v.Field(i)
		if field.CanUint() {
			k.buf = binary.AppendUvarint(k.buf, field.Uint())
		} else {
			k.number(field.Int())
		}
	}
}

func pointerWriter(write writer) writer {
	return func(k *partKey, v reflect.Value) {
		if k.flag(!v.IsNil()); !v.IsNil() {
			write(k, v.Elem())
		}
	}
}

func listWriter(write writer) writer {
	return func(k *partKey, v reflect.Value) {
		k.number(int64(v.Len()))
		for i := range v.Len() {
			write(k, v.Index(i))
		}
	}
}

func mapWriter(key, value writer) writer {
	return func(k *partKey, v reflect.Value) {
		keys := v.MapKeys()
		slices.SortFunc(keys, compareKeys)
		k.number(int64(len(keys)))
		for _, at := range keys {
			key(k, at)
			value(k, v.MapIndex(at))
		}
	}
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.String {
		return cmp.Compare(a.String(), b.String())
	}
	return cmp.Compare(a.Int(), b.Int())
}

func structWriter(t reflect.Type) writer {
	fields := make([]writer, t.NumField())
	for i := range fields {
		fields[i] = writerOf(t.Field(i).Type)
	}
	return func(k *partKey, v reflect.Value) {
		for i, write := range fields {
			write(k, v.Field(i))
		}
	}
}

func writeInterface(k *partKey, v reflect.Value) {
	if k.flag(!v.IsNil()); !v.IsNil() {
		k.text(v.Elem().Type().String())
		writerOf(v.Elem().Type())(k, v.Elem())
	}
}
