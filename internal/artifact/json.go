package artifact

import (
	"encoding/json"
	"strconv"
	"time"
)

// TimeFormat is how the protocol writes instants: RFC 3339, UTC, six decimals.
const TimeFormat = "2006-01-02T15:04:05.000000Z"

// FormatTime writes an instant in TimeFormat.
func FormatTime(t time.Time) string { return t.UTC().Format(TimeFormat) }

// MarshalJSON writes the `sections` object: fields only, no sources; unset fields are left
// out; tests are in rank order. Its RFC 8785 form is what the artifact hash covers.
func (a *Artifact) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, s := range Sections() {
		if s > 0 {
			b = append(b, ',')
		}
		b = AppendString(b, s.String())
		b = append(b, ':')
		if s == ResearchThread {
			b = a.Thread.appendJSON(b)
			continue
		}
		b = append(b, '[')
		for i, it := range a.Ordered(s) {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.appendJSON(b)
		}
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

// MarshalJSON writes the item with its set fields.
func (it *Item) MarshalJSON() ([]byte, error) { return it.appendJSON(nil), nil }

func (it *Item) appendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = AppendString(b, string(it.ID))
	for i, v := range it.fields {
		if v != nil {
			b = appendMember(b, it.Section.Fields()[i].Name)
			b = AppendValue(b, v)
		}
	}
	for _, e := range it.extra {
		b = appendMember(b, e.Name)
		b = append(b, e.Value...)
	}
	if len(it.Conflicts) > 0 {
		b = appendMember(b, "conflicts")
		b = AppendValue(b, List(it.Conflicts))
	}
	if k := it.Killed; k != nil {
		b = appendMember(b, "killed")
		b = append(b, `{"by":`...)
		b = AppendString(b, k.By)
		b = appendMember(b, "at")
		b = AppendString(b, FormatTime(k.At))
		b = appendMember(b, "reason")
		b = AppendString(b, k.Reason)
		b = append(b, '}')
	}
	return append(b, '}')
}

func appendMember(b []byte, name string) []byte {
	b = append(b, ',')
	b = AppendString(b, name)
	return append(b, ':')
}

// AppendValue appends a value as JSON; an absent one is null.
func AppendValue(b []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case Text:
		return AppendString(b, string(v))
	case Flag:
		return strconv.AppendBool(b, bool(v))
	case JSON:
		return append(b, v...)
	case List:
		return appendSeq(b, '[', ']', len(v), func(b []byte, i int) []byte { return AppendString(b, v[i]) })
	case Map:
		return appendSeq(b, '{', '}', len(v), func(b []byte, i int) []byte {
			b = append(AppendString(b, v[i].Key), ':')
			return AppendString(b, v[i].Text)
		})
	case Score:
		return appendSeq(b, '{', '}', len(v), func(b []byte, i int) []byte {
			b = append(AppendString(b, v[i].Name), ':')
			return append(b, v[i].Number...)
		})
	case References:
		return appendSeq(b, '[', ']', len(v), func(b []byte, i int) []byte { return v[i].appendJSON(b) })
	}
	panic("artifact: unknown kind of value")
}

func (r Reference) appendJSON(b []byte) []byte {
	b = append(b, `{"session":`...)
	b = AppendString(b, r.Session)
	b = appendMember(b, "item")
	b = AppendString(b, r.Item)
	b = appendMember(b, "relation")
	b = AppendString(b, r.Relation)
	if len(r.Extra) > 2 { // more than "{}"
		b = append(b, ',')
		b = append(b, r.Extra[1:len(r.Extra)-1]...)
	}
	return append(b, '}')
}

func appendSeq(b []byte, open, end byte, n int, element func([]byte, int) []byte) []byte {
	b = append(b, open)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = element(b, i)
	}
	return append(b, end)
}

// AppendString appends a string as encoding/json writes it.
func AppendString(b []byte, s string) []byte {
	if standsForItself(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	return append(b, quoted...)
}

// standsForItself tells whether a string needs no escapes: most do not.
func standsForItself(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}
