package repair

import (
	"unicode"
	"unicode/utf8"

	"brenner/internal/artifact/delta"
	"brenner/internal/pattern"
	"brenner/internal/strictjson"
)

// loose is a JSON value that can be changed: the tree of a block being repaired.
type loose struct {
	kind     strictjson.Kind
	text     string // of a string; of a number as written
	members  []looseMember
	elements []*loose
	start    int // place in the source; that of its container for a value put in
	end      int
}

// container tells whether the value holds others.
func (v *loose) container() bool { return v.kind == strictjson.Array || v.kind == strictjson.Object }

type looseMember struct {
	name  string
	start int
	value *loose
}

// parseLoose reads one value at the lexer's place. It fails where it would have to guess.
func parseLoose(l *looseLexer, depth int) (*loose, bool) {
	return looseValue(l, l.next(), depth)
}

func looseValue(l *looseLexer, t token, depth int) (*loose, bool) {
	switch t.kind {
	case stringToken:
		return &loose{kind: strictjson.String, text: t.text, start: t.start, end: t.end}, true
	case wordToken:
		return looseWord(l, t)
	case '{', '[':
		if depth == delta.MaxDepth {
			return nil, false
		}
		v := &loose{kind: strictjson.Object, start: t.start}
		if t.kind == '[' {
			v.kind = strictjson.Array
		}
		return v, looseContainer(l, v, depth)
	}
	return nil, false
}

var jsonNumber = pattern.Lazy(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// looseWord reads a bare word: a number, a literal in any language's spelling, or text whose
// quotes are missing.
func looseWord(l *looseLexer, t token) (*loose, bool) {
	v := &loose{kind: strictjson.String, text: t.text, start: t.start, end: t.end}
	switch {
	case jsonNumber().MatchString(t.text):
		v.kind = strictjson.Number
		return v, true
	case t.text == "true" || t.text == "false" || t.text == "null":
	default:
		l.note(bareValue, t.start)
	}
	switch t.text {
	case "true", "True", "TRUE":
		v.kind = strictjson.True
	case "false", "False", "FALSE":
		v.kind = strictjson.False
	case "null", "None", "NULL", "undefined":
		v.kind = strictjson.Null
	}
	if v.kind != strictjson.String {
		v.text = ""
		return v, true
	}
	first, _ := utf8.DecodeRuneInString(t.text)
	return v, first == '§' || first == '@' || first == '_' || unicode.IsLetter(first)
}

// looseContainer reads the members of an object or the elements of a list up to the bracket
// that closes it. Commas too many or too few do not matter.
func looseContainer(l *looseLexer, v *loose, depth int) bool {
	closing := byte('}')
	if v.kind == strictjson.Array {
		closing = ']'
	}
	comma, commaAt := true, -1 // before the first member none is due
	for {
		t := l.next()
		switch {
		case t.kind == closing:
			if commaAt >= 0 {
				l.note(trailingComma, commaAt)
			}
			v.end = t.end
			return true
		case t.kind == ',':
			if comma {
				l.note(trailingComma, t.start)
			}
			comma, commaAt = true, t.start
			continue
		case !comma:
			l.note(missingComma, t.start)
		}
		if !looseChild(l, v, t, depth) {
			return false
		}
		comma, commaAt = false, -1
	}
}

func looseChild(l *looseLexer, v *loose, t token, depth int) bool {
	if v.kind == strictjson.Array {
		element, ok := looseValue(l, t, depth+1)
		v.elements = append(v.elements, element)
		return ok
	}
	if t.kind != stringToken && t.kind != wordToken {
		return false
	}
	if t.kind == wordToken {
		l.note(bareKey, t.start)
	}
	if l.next().kind != ':' {
		return false
	}
	value, ok := parseLoose(l, depth+1)
	v.members = append(v.members, looseMember{t.text, t.start, value})
	return ok
}

// get returns the value of a key, nil if it is absent.
func (v *loose) get(name string) *loose {
	if i := v.find(name); i >= 0 {
		return v.members[i].value
	}
	return nil
}

func (v *loose) find(name string) int {
	for i := range v.members {
		if v.members[i].name == name {
			return i
		}
	}
	return -1
}

// set gives a key its value, in its place or at the end.
func (v *loose) set(name string, value *loose) {
	if i := v.find(name); i >= 0 {
		v.members[i].value = value
		return
	}
	v.members = append(v.members, looseMember{name, v.start, value})
}

// remove takes a key out.
func (v *loose) remove(name string) {
	if i := v.find(name); i >= 0 {
		v.members = append(v.members[:i], v.members[i+1:]...)
	}
}
