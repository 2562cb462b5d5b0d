package artifact

import (
	"encoding/json"
	"strings"
)

// Label names a value of an item for readers: a field, a key of it (predictions.H2) or a part (score.cost).
func (s Section) Label(path string) string {
	field, key, keyed := strings.Cut(path, ".")
	i := s.Field(field)
	if open := s.OpenField(field); open != nil && !keyed {
		return open.Label
	}
	if i < 0 {
		return path
	}
	label := s.Fields()[i].Label
	if keyed {
		label += " · " + strings.ReplaceAll(key, "_", " ")
	}
	return label
}

// Lead is the text that says most about an item, beside its title.
func (it *Item) Lead() string {
	for _, spec := range it.Section.Fields() {
		if spec.Name == Name || spec.Name == Condition {
			continue
		}
		if text := it.Text(spec.Name); text != "" {
			return text
		}
		if m := it.Map(spec.Name); len(m) > 0 {
			return ValueText(m)
		}
	}
	return ""
}

// ValueText writes a value for a reader.
func ValueText(v Value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case Text:
		return string(v)
	case Flag:
		if v {
			return "yes"
		}
		return "no"
	case List:
		return strings.Join(v, "\n")
	case Map:
		lines := make([]string, len(v))
		for i, p := range v {
			lines[i] = p.Key + ": " + p.Text
		}
		return strings.Join(lines, "\n")
	case Score:
		lines := make([]string, len(v))
		for i, p := range v {
			lines[i] = strings.ReplaceAll(p.Name, "_", " ") + " " + p.Number
		}
		return strings.Join(lines, ", ")
	case References:
		lines := make([]string, len(v))
		for i, r := range v {
			lines[i] = r.Relation + " " + r.Session + "#" + r.Item
		}
		return strings.Join(lines, "\n")
	case JSON:
		return jsonText(string(v))
	}
	return string(AppendValue(nil, v))
}

// jsonText writes the members of an object as lines, in their order, and anything else as it is.
func jsonText(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return text
	}
	var lines []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return text
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return text
		}
		lines = append(lines, strings.ReplaceAll(name.(string), "_", " ")+": "+plainJSON(value))
	}
	return strings.Join(lines, "\n")
}

// plainJSON is a text without its quotes, a list with commas, and anything else as JSON.
func plainJSON(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return strings.Join(list, ", ")
	}
	return string(value)
}
