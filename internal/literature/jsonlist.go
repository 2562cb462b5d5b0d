package literature

import (
	"errors"
	"fmt"
	"strings"
)

// jsonSpace is what may stand between values.
const jsonSpace = " \t\r\n"

var errFollows = errors.New("something follows the end")

// span is a part of a text.
type span struct{ start, end int }

// elements finds the objects of a file: one object, or a list of objects. Nothing is copied.
func elements(text []byte) ([]span, error) {
	var found []span
	start := skipSpace(text, 0)
	if text[start] == '{' {
		end, err := valueEnd(text, start)
		if err != nil {
			return nil, lineOf(text, end, err)
		}
		if skipSpace(text, end) < len(text) {
			return nil, lineOf(text, end, errFollows)
		}
		return []span{{start, end}}, nil
	}
	end, err := splitList(text[start:], func(from, to int) error {
		switch {
		case text[start+from] != '{':
			return errors.New("an entry is not an object")
		case len(found) == MaxEntries:
			return fmt.Errorf("the file has more than %d entries", MaxEntries)
		}
		found = append(found, span{start + from, start + to})
		return nil
	})
	if err != nil {
		return nil, lineOf(text, start+end, err)
	}
	if skipSpace(text, start+end) < len(text) {
		return nil, lineOf(text, start+end, errFollows)
	}
	return found, nil
}

func lineOf(text []byte, at int, err error) error {
	return invalid((&lineCounter[[]byte]{text: text}).of(min(at, len(text))), "the JSON cannot be read: %v", err)
}

// splitList calls visit with the place of each element of the list that a text begins with, and returns where the list ends or,
// with an error, where it was found.
func splitList(text []byte, visit func(start, end int) error) (int, error) {
	at := skipSpace(text, 1)
	if at < len(text) && text[at] == ']' {
		return at + 1, nil
	}
	for {
		end, err := valueEnd(text, at)
		if err != nil {
			return end, err
		}
		if err := visit(at, end); err != nil {
			return at, err
		}
		at = skipSpace(text, end)
		switch {
		case at < len(text) && text[at] == ',':
			at = skipSpace(text, at+1)
		case at < len(text) && text[at] == ']':
			return at + 1, nil
		default:
			return at, errors.New("a list is not closed")
		}
	}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && strings.IndexByte(jsonSpace, text[at]) >= 0 {
		at++
	}
	return at
}

// valueEnd finds the end of a JSON value by its brackets and strings alone; what is between them is not judged.
func valueEnd(text []byte, at int) (int, error) {
	depth, start := 0, at
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			end := stringEnd(text, at)
			if end < 0 {
				return at, errors.New("a string is not closed")
			}
			at = end
		case '{', '[':
			if depth++; depth > maxDepth {
				return at, fmt.Errorf("it is nested deeper than %d", maxDepth)
			}
		case '}', ']':
			if depth == 0 {
				return nonEmpty(start, at)
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return nonEmpty(start, at)
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return at + 1, nil
		}
	}
	if depth > 0 {
		return at, errors.New("an object or a list is not closed")
	}
	return nonEmpty(start, at)
}

func nonEmpty(start, end int) (int, error) {
	if start == end {
		return end, errors.New("a value is missing")
	}
	return end, nil
}

// stringEnd finds the closing mark of the string that begins at a place; -1: there is none.
func stringEnd(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at
		}
	}
	return -1
}

// eachMember visits the members of an object that is known to be valid.
func eachMember(text []byte, visit func(name string, value []byte)) error {
	at := skipSpace(text, 1)
	for at < len(text) && text[at] == '"' {
		end := stringEnd(text, at)
		if end < 0 {
			return errors.New("a string is not closed")
		}
		name := string(text[at+1 : end])
		at = skipSpace(text, end+1)
		if at >= len(text) || text[at] != ':' {
			return errors.New("a member has no value")
		}
		start := skipSpace(text, at+1)
		stop, err := valueEnd(text, start)
		if err != nil {
			return err
		}
		visit(name, text[start:stop])
		if at = skipSpace(text, stop); at < len(text) && text[at] == ',' {
			at = skipSpace(text, at+1)
		}
	}
	return nil
}
