package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"unicode"
)

// schema is a node of JSON Schema 2020-12, as OpenAPI 3.1 uses it.
type schema = map[string]any

// schemas describes the types of requests and answers. Structures are told once, by name.
type schemas struct {
	named map[string]any
	types map[string]reflect.Type
}

// written are the schemas of types that write themselves.
var written = map[string]schema{
	"protocol.Finding": withAction(object(fields{
		{"code", text()}, {"severity", choice("error", "warning", "info")}, {"message", text()}, {"item", orNull("string")},
		{"path", orNull("string")},
		{"line", orNull("integer")}, {"column", orNull("integer")}, {"fix", orNull("string")},
	})),
	"lint.Violation": withAction(object(fields{
		{"id", text()}, {"code", text()}, {"severity", choice("error", "warning", "info")}, {"message", text()}, {"item", orNull("string")},
		{"path", orNull("string")}, {"line", orNull("integer")}, {"column", orNull("integer")}, {"fix", orNull("string")},
	})),
	"delta.Block": object(fields{
		{"index", schema{"type": "integer"}}, {"line", schema{"type": "integer"}}, {"status", choice("accepted", "rejected")},
		{"operation", orNull("string")}, {"section", orNull("string")}, {"target_id", orNull("string")}, {"item_id", orNull("string")},
		{"findings", schema{"type": "array", "items": ref("Finding")}},
	}),
	"artifact.Artifact": {"type": "object",
		"description":          "The seven sections: research_thread is an object, the others are lists of items with their set fields.",
		"additionalProperties": true},
	"artifact.Metadata": {"type": "object", "description": "The front matter of the artifact.", "additionalProperties": true},
	"merge.Claim":       object(fields{{"agent", orNull("string")}, {"value", schema{}}, {"message_id", orNull("integer")}}),
	"protocol.Action": {
		"type": "object", "description": "what to do: an operation with its arguments, and perhaps what comes after it",
		"required": []string{"do", "args"},
		"properties": schema{
			"do": text(), "args": schema{"type": "object"}, "then": schema{"type": "object"},
			"give": schema{"type": "string", "description": "a field of the request that is to be given beside the arguments"},
		},
	},
	"liveness.Instant": orNull("string"),
	"diff.Label":       {"type": []string{"integer", "string"}, "description": "a version"},
	"diff.Value":       {"description": "the value of a field; null where there is none"},
	"science.RowText":  {"description": "a number for each label, or the text of a quantity"},
	"json.RawMessage":  {"description": "any JSON value"},
}

type fields []struct {
	name  string
	value schema
}

func object(list fields) schema {
	properties, required := schema{}, []string{}
	for _, f := range list {
		properties[f.name] = f.value
		required = append(required, f.name)
	}
	return schema{"type": "object", "properties": properties, "required": required}
}

// withAction adds what to do, which is left out where no operation does it.
func withAction(o schema) schema {
	o["properties"].(schema)["action"] = ref("Action") //nolint:forcetypeassert // object made it
	return o
}

func text() schema                  { return schema{"type": "string"} }
func orNull(kind string) schema     { return schema{"type": []string{kind, "null"}} }
func choice(words ...string) schema { return schema{"type": "string", "enum": words} }
func ref(name string) schema        { return schema{"$ref": "#/components/schemas/" + name} }
func nullable(inner schema) schema  { return schema{"anyOf": []schema{inner, {"type": "null"}}} }
func writesItself(t reflect.Type) bool {
	marshaler := reflect.TypeFor[json.Marshaler]()
	return t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler)
}

// of describes a type.
func (s *schemas) of(t reflect.Type) schema {
	if own, ok := written[t.String()]; ok {
		if own["type"] == "object" {
			return s.name(t, func() schema { return own })
		}
		return own
	}
	switch t.Kind() {
	case reflect.Pointer:
		inner := s.of(t.Elem())
		if kind, ok := inner["type"].(string); ok {
			return orNull(kind)
		}
		return nullable(inner)
	case reflect.String:
		return text()
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Float64:
		return schema{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Uint8:
		return schema{"type": "integer"}
	case reflect.Slice, reflect.Array:
		return schema{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		if writesItself(t) && t.Name() != "Receipt" { // which only mends an empty list
			panic("no schema for " + t.String()) // the tests describe every route
		}
		return s.name(t, func() schema { return s.structure(t) })
	default:
		panic("no schema for " + t.String()) // the tests describe every route
	}
}

// name tells a structure once.
func (s *schemas) name(t reflect.Type, describe func() schema) schema {
	name := componentName(t)
	switch known := s.types[name]; known {
	case t:
	case nil:
		s.types[name] = t // first: a structure may hold itself
		s.named[name] = describe()
	default:
		panic(t.String() + " and " + known.String() + " have the same name") // the tests describe every route
	}
	return ref(name)
}

// componentName is the type's name, with the package's where that alone says nothing.
func componentName(t reflect.Type) string {
	pkg, name, _ := strings.Cut(t.String(), ".")
	name = string(unicode.ToUpper(rune(name[0]))) + name[1:]
	switch pkg {
	case "api", "session", "protocol", "mail", "artifact":
		return name
	}
	return string(unicode.ToUpper(rune(pkg[0]))) + pkg[1:] + name
}

// structure describes what encoding/json writes of a struct: every key without omitempty is there.
func (s *schemas) structure(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	s.members(t, properties, &required)
	out := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func (s *schemas) members(t reflect.Type, properties schema, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			s.members(f.Type, properties, required)
		default:
			properties[name] = s.of(f.Type)
			if options != "omitempty" {
				*required = append(*required, name)
			}
		}
	}
}
