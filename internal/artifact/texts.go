package artifact

import (
	"encoding/json"
	"strconv"
	"strings"
)

// EachText visits every string of an item with its path: the fields in the order of the section's
// table, then the extra ones; inside JSON values too.
func (it *Item) EachText(visit func(path, text string)) {
	for i, v := range it.fields {
		eachText(schema[it.Section][i].Name, v, visit)
	}
	for _, e := range it.Extra() {
		eachText(e.Name, e.Value, visit)
	}
}

// EachTextOf visits every string of a value; path names its field.
func EachTextOf(path string, v Value, visit func(path, text string)) { eachText(path, v, visit) }

func eachText(path string, v Value, visit func(path, text string)) {
	switch v := v.(type) {
	case Text:
		visit(path, string(v))
	case List:
		for i, text := range v {
			visit(element(path, i), text)
		}
	case Map:
		for _, p := range v {
			visit(path+"."+p.Key, p.Text)
		}
	case References:
		for i, r := range v {
			eachText(element(path, i), r.Extra, visit)
		}
	case JSON:
		eachJSONText(path, string(v), visit)
	}
}

func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// maxTextDepth bounds the nesting of JSON that is looked into.
const maxTextDepth = 64

// eachJSONText visits the strings of a JSON value in the order in which they are written. Keys are names,
// not text.
func eachJSONText(path, value string, visit func(path, text string)) {
	if !strings.Contains(value, `"`) {
		return
	}
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	walkJSON(d, path, 0, visit)
}

func walkJSON(d *json.Decoder, path string, depth int, visit func(path, text string)) bool {
	token, err := d.Token()
	if err != nil || depth > maxTextDepth {
		return false
	}
	switch token := token.(type) {
	case string:
		visit(path, token)
	case json.Delim:
		for i := 0; d.More(); i++ {
			at := element(path, i)
			if token == '{' {
				key, err := d.Token()
				name, ok := key.(string)
				if err != nil || !ok {
					return false
				}
				at = path + "." + name
			}
			if !walkJSON(d, at, depth+1, visit) {
				return false
			}
		}
		_, err = d.Token()
	}
	return err == nil
}
