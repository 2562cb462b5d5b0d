package foreign

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"brenner/internal/mail"
)

// The contract gives values their types, and other servers give them others: numbers arrive as
// text, flags as numbers, names alone instead of in a list, and anything as null. Each of the types
// here reads what can be meant, and leaves what cannot at its zero value: one odd field must
// not hide a message.

// plain reads a value that is neither a list nor an object, as text; null is none.
func plain(data []byte) string {
	data = bytes.TrimSpace(data)
	var text string
	switch {
	case len(data) == 0 || string(data) == "null" || data[0] == '{' || data[0] == '[':
		return ""
	case json.Unmarshal(data, &text) == nil:
		return text
	default:
		return string(data)
	}
}

// number is an integer, also one that arrives as text or with a fraction of zero.
type number int64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(data []byte) error {
	text := strings.TrimSpace(plain(data))
	*n = 0
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		*n = number(whole)
	} else if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		*n = number(f)
	}
	return nil
}

// word is a text, also one that arrives as a number.
type word string

// UnmarshalJSON implements json.Unmarshaler.
func (w *word) UnmarshalJSON(data []byte) error {
	*w = word(plain(data))
	return nil
}

// flag is true or false, also as a number or a word.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(data []byte) error {
	switch strings.ToLower(plain(data)) {
	case "true", "1", "yes":
		*f = true
	default:
		*f = false
	}
	return nil
}

// instant is a time as servers write it; one without a zone is UTC, and null is none.
type instant struct{ at time.Time }

var instantForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
}

// UnmarshalJSON implements json.Unmarshaler. A number is seconds since 1970.
func (i *instant) UnmarshalJSON(data []byte) error {
	text := strings.TrimSpace(plain(data))
	i.at = time.Time{}
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			i.at = mail.Truncate(t)
			return nil
		}
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e11 {
		i.at = mail.Truncate(time.UnixMicro(int64(seconds * 1e6)))
	}
	return nil
}

func (i instant) time() time.Time { return i.at }

// names is a list that may arrive as one name, or as null. A name may be inside an object.
type names []string

// UnmarshalJSON implements json.Unmarshaler.
func (n *names) UnmarshalJSON(data []byte) error {
	*n = nil
	if one := plain(data); one != "" {
		*n = names{one}
		return nil
	}
	var list []json.RawMessage
	_ = json.Unmarshal(data, &list) // what is no list names no agent
	for _, element := range list {
		name := plain(element)
		var named struct{ Name word }
		if name == "" && json.Unmarshal(element, &named) == nil {
			name = string(named.Name)
		}
		if name != "" {
			*n = append(*n, name)
		}
	}
	return nil
}
