package repair

import (
	"strconv"
	"strings"

	"brenner/internal/strictjson"
)

// write returns the value as JSON in the layout of the specification's examples.
func (v *loose) write() string {
	var b strings.Builder
	v.writeTo(&b, "\n")
	return b.String()
}

// writeTo writes the value; indent is the line break with the indent of the line it is on.
func (v *loose) writeTo(b *strings.Builder, indent string) {
	switch v.kind {
	case strictjson.Null:
		b.WriteString("null")
	case strictjson.True:
		b.WriteString("true")
	case strictjson.False:
		b.WriteString("false")
	case strictjson.Number:
		b.WriteString(v.text)
	case strictjson.String:
		writeString(b, v.text)
	case strictjson.Array:
		v.writeList(b, indent)
	case strictjson.Object:
		v.writeObject(b, indent)
	}
}

func (v *loose) writeObject(b *strings.Builder, indent string) {
	if len(v.members) == 0 {
		b.WriteString("{}")
		return
	}
	inner := indent + "  "
	b.WriteByte('{')
	for i := range v.members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		writeString(b, v.members[i].name)
		b.WriteString(": ")
		v.members[i].value.writeTo(b, inner)
	}
	b.WriteString(indent + "}")
}

// writeList keeps a list of plain values on one line.
func (v *loose) writeList(b *strings.Builder, indent string) {
	inner, separator := "", ", "
	for _, e := range v.elements {
		if e.container() {
			inner, separator = indent+"  ", ","
		}
	}
	b.WriteByte('[')
	for i, e := range v.elements {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(inner)
		e.writeTo(b, inner)
	}
	if inner != "" {
		b.WriteString(indent)
	}
	b.WriteByte(']')
}

// writeString quotes a text; only what JSON demands is escaped.
func writeString(b *strings.Builder, text string) {
	b.WriteByte('"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b.WriteString(text[from:i])
		from = i + 1
		if j := strings.IndexByte("\"\\\b\f\n\r\t", c); j >= 0 {
			b.WriteByte('\\')
			b.WriteByte(`"\bfnrt`[j])
		} else {
			b.WriteString(`\u00` + hexDigits(c))
		}
	}
	b.WriteString(text[from:])
	b.WriteByte('"')
}

func hexDigits(c byte) string {
	digits := strconv.FormatUint(uint64(c), 16)
	return strings.Repeat("0", 2-len(digits)) + digits
}

// plain renders a value as text, for where a string is due (PROTOCOL 5, repairs).
func (v *loose) plain() string {
	switch v.kind {
	case strictjson.Null:
		return ""
	case strictjson.True:
		return "true"
	case strictjson.False:
		return "false"
	case strictjson.String, strictjson.Number:
		return v.text
	}
	var parts []string
	for _, e := range v.elements {
		parts = append(parts, e.part())
	}
	for _, m := range v.members {
		parts = append(parts, m.name+": "+m.value.part())
	}
	return strings.Join(parts, "; ")
}

// part renders a value inside another one.
func (v *loose) part() string {
	if !v.container() {
		return v.plain()
	}
	return "(" + v.plain() + ")"
}
