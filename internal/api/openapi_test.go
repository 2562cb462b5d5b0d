package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"brenner/internal/api"
)

// description is the OpenAPI document of a running API, and which of its operations were seen to succeed.
type description struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]any `json:"schemas"`
	} `json:"components"`
	seen map[string]bool
}

type operation struct {
	OperationID string `json:"operationId"`
	Parameters  []struct {
		Name string `json:"name"`
		In   string `json:"in"`
	} `json:"parameters"`
	Responses map[string]struct {
		Content map[string]struct {
			Schema any `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

func describe(t *testing.T, p *project) *description {
	t.Helper()
	d := decode[description](t, p.do(t, http.MethodGet, "/api/v1/openapi.json", ""))
	d.seen = map[string]bool{}
	return &d
}

// find returns the operation that answers for an address.
func (d *description) find(method, path string) (operation, bool) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for template, item := range d.Paths {
		want := strings.Split(template, "/")
		if len(want) != len(parts) {
			continue
		}
		match := true
		for i := range want {
			match = match && (want[i] == parts[i] || strings.HasPrefix(want[i], "{"))
		}
		op, ok := item[strings.ToLower(method)]
		if match && ok {
			return op, true
		}
	}
	return operation{}, false
}

// check holds an answer against its schema.
func (d *description) check(t *testing.T, method, path string, a answer) {
	t.Helper()
	op, ok := d.find(method, path)
	if !ok {
		if a.status < 400 {
			t.Errorf("%s %s answers and is not in the document", method, path)
		}
		return
	}
	name := "default"
	if a.status == http.StatusOK {
		name = "200"
		d.seen[op.OperationID] = true
	}
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		t.Fatal(err)
	}
	for _, problem := range d.compare(op.Responses[name].Content["application/json"].Schema, value, "") {
		t.Errorf("%s %s: %s", method, path, problem)
	}
}

// complete fails for operations that no test has seen succeed; the document itself and the events have tests of
// their own.
func (d *description) complete(t *testing.T) {
	t.Helper()
	for _, item := range d.Paths {
		for _, op := range item {
			if !d.seen[op.OperationID] && op.OperationID != "getOpenapiJson" && op.OperationID != "getEvents" {
				t.Errorf("nothing tests %s", op.OperationID)
			}
		}
	}
}

// compare is as much of JSON Schema as the document uses.
func (d *description) compare(node, value any, path string) []string {
	s, ok := node.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s: there is no schema", path)}
	}
	var problems []string
	if name, ok := s["$ref"].(string); ok {
		return d.compare(d.Components.Schemas[strings.TrimPrefix(name, "#/components/schemas/")], value, path)
	}
	for _, part := range list(s["allOf"]) {
		problems = append(problems, d.compare(part, value, path)...)
	}
	if choices := list(s["anyOf"]); len(choices) > 0 && !slices.ContainsFunc(choices, func(part any) bool {
		return len(d.compare(part, value, path)) == 0
	}) {
		problems = append(problems, path+": fits none of the choices")
	}
	if want, ok := s["const"]; ok && want != value {
		problems = append(problems, fmt.Sprintf("%s: is %v, not %v", path, value, want))
	}
	if words := list(s["enum"]); len(words) > 0 && !slices.Contains(words, value) {
		problems = append(problems, fmt.Sprintf("%s: %v is not among %v", path, value, words))
	}
	if kinds := kinds(s["type"]); len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind string) bool { return is(kind, value) }) {
		return append(problems, fmt.Sprintf("%s: %T is not %v", path, value, kinds))
	}
	return append(problems, d.inside(s, value, path)...)
}

// inside compares the members of objects and lists. A member that the schema does not name is a
// problem: the document would hide it.
func (d *description) inside(s map[string]any, value any, path string) []string {
	var problems []string
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			if s["items"] != nil {
				problems = append(problems, d.compare(s["items"], item, fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for _, name := range list(s["required"]) {
			if _, ok := v[name.(string)]; !ok {
				problems = append(problems, fmt.Sprintf("%s: %v is missing", path, name))
			}
		}
		for name, member := range v {
			switch {
			case properties[name] != nil:
				problems = append(problems, d.compare(properties[name], member, path+"."+name)...)
			case is("object", s["additionalProperties"]):
				problems = append(problems, d.compare(s["additionalProperties"], member, path+"."+name)...)
			case s["additionalProperties"] != true && len(properties) > 0 && name != "ok" && len(properties) != 1:
				problems = append(problems, fmt.Sprintf("%s: %s is not in the document", path, name))
			}
		}
	}
	return problems
}

func list(v any) []any { l, _ := v.([]any); return l }

func kinds(v any) []string {
	if one, ok := v.(string); ok {
		return []string{one}
	}
	var all []string
	for _, kind := range list(v) {
		all = append(all, kind.(string))
	}
	return all
}

func is(kind string, value any) bool {
	switch v := value.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case float64:
		return kind == "number" || kind == "integer" && v == math.Trunc(v)
	case []any:
		return kind == "array"
	default:
		return kind == "object"
	}
}

// TestDocument: every reference in the document leads somewhere, every operation has its own name, and
// every parameter of a path is described.
func TestDocument(t *testing.T) {
	p := newProject(t, api.Options{Version: "1.2.3"})
	d := describe(t, p)
	names := map[string]bool{}
	for path, item := range d.Paths {
		for method, op := range item {
			if op.OperationID == "" || names[op.OperationID] {
				t.Errorf("%s %s has the name %q of another", method, path, op.OperationID)
			}
			names[op.OperationID] = true
			described := 0
			for _, parameter := range op.Parameters {
				if parameter.In == "path" && strings.Contains(path, "{"+parameter.Name+"}") {
					described++
				}
			}
			if described != strings.Count(path, "{") {
				t.Errorf("%s %s: %d of the parameters in its path are described", method, path, described)
			}
		}
	}
	text := string(p.do(t, http.MethodGet, "/api/v1/openapi.json", "").body)
	for _, part := range strings.Split(text, `"$ref":"#/components/schemas/`)[1:] {
		if name, _, _ := strings.Cut(part, `"`); d.Components.Schemas[name] == nil {
			t.Errorf("%s is not described", name)
		}
	}
	if !strings.Contains(text, `"openapi":"3.1.0"`) || !strings.Contains(text, `"version":"1.2.3"`) {
		t.Error("the document does not say what it is")
	}
}
