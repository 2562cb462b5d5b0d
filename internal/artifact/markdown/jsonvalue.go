package markdown

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"brenner/internal/strictjson"
)

// maxPretty is the nesting up to which JSON is laid out over lines; beyond, the indentation
// would outweigh the text.
const maxPretty = 6

// appendJSON writes a JSON value in a fence of its own. No line of JSON can close the fence:
// a string holds no newline.
func appendJSON(b []byte, value string) []byte {
	b = append(b, "\n\n```json\n"...)
	b = append(b, pretty(value)...)
	return append(b, "\n```\n"...)
}

func pretty(value string) string {
	depth, deepest := 0, 0
	for i := range len(value) { // brackets in strings count too: at worst it stays on one line
		switch value[i] {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	var out bytes.Buffer
	if deepest > maxPretty || json.Indent(&out, []byte(value), "", "  ") != nil {
		return value
	}
	return out.String()
}

// compact removes insignificant space and leaves everything else as it is written.
func compact(text string) (string, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		return "", err
	}
	return out.String(), nil
}

// codeJSON writes JSON on one line as a code span, or with references where it holds what
// cannot stand in one.
func codeJSON(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return r == '`' || unseen(r) }) {
		return writing{plain: true, guard: noGuard}.single(value)
	}
	return "`" + value + "`"
}

// uncode reads what codeJSON writes.
func uncode(raw string) string {
	if inner, ok := cutAround(trim(raw), "`"); ok {
		return inner
	}
	return readInline(raw)
}

// member is a name and value of a JSON object as they are written, without space.
type member struct{ rawName, name, value string }

var (
	errObject = errors.New("this is not a JSON object")
	errTwice  = errors.New("a name stands twice in this object")
)

// readObject reads a JSON object in order, without deciding what its values are.
func readObject(text string) ([]member, error) {
	text, err := compact(text)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(text, "{") {
		return nil, errObject
	}
	var members []member
	seen := map[string]bool{}
	strictjson.Parts([]byte(text), func(rawName, value []byte) {
		m := member{rawName: string(rawName), value: string(value)}
		err = errors.Join(err, json.Unmarshal(rawName, &m.name))
		if seen[m.name] {
			err = errTwice
		}
		seen[m.name] = true
		members = append(members, m)
	})
	return members, err
}

// readArray reads the elements of a JSON array as they are written.
func readArray(text string) ([]string, error) {
	text, err := compact(text)
	if err != nil {
		return nil, err
	}
	var elements []string
	strictjson.Parts([]byte(text), func(_, value []byte) { elements = append(elements, string(value)) })
	return elements, nil
}

// jsonString writes a string as JSON, without escapes for HTML.
func jsonString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(valid(s)); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
