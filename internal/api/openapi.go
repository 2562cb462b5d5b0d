package api

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// document is the OpenAPI description of the table of routes. The handlers are registered from the
// same table, so that neither has what the other lacks.
func document(table []route, version string) []byte {
	s := &schemas{named: map[string]any{}, types: map[string]reflect.Type{}}
	s.of(reflect.TypeFor[failure]())
	s.named["Event"] = s.structure(reflect.TypeFor[eventObject]())
	paths := schema{}
	for _, rt := range table {
		address := prefix + rt.path
		item, _ := paths[address].(schema)
		if item == nil {
			item = schema{}
			paths[address] = item
		}
		item[strings.ToLower(rt.method)] = rt.operation(s)
	}
	if version == "" {
		version = "unknown"
	}
	return encode(schema{
		"openapi": "3.1.0",
		"info": schema{
			"title": "brenner", "version": version, "license": schema{"name": "MIT", "identifier": "MIT"},
			"description": "What a project of brenner shows and does, as JSON. Objects are those of the command line's JSON. " +
				"Reading is open to all who can reach the server; writing needs lab mode, a request of this site or of a program, " +
				"Content-Type: application/json, and a name that the caller may act under.",
		},
		"servers":  []schema{{"url": "/"}},
		"security": []schema{{}, {"token": []string{}}},
		"tags":     tags(),
		"paths":    paths,
		"components": schema{"schemas": s.named,
			"securitySchemes": schema{"token": schema{"type": "http", "scheme": "bearer",
				"description": "A token that the operator of the project made."}}},
	})
}

func tags() []schema {
	return []schema{
		{"name": "read", "description": "Changes nothing."},
		{"name": "judge", "description": "Takes a text and says what is to be said about it; stores nothing, needs no lab mode."},
		{"name": "act", "description": "Writes, in lab mode; an agent's token may do it as that agent."},
		{"name": "govern", "description": "Writes, in lab mode; belongs to the operator."},
	}
}

func (e effect) tag() string {
	return [...]string{"read", "judge", "act", "govern"}[e]
}

func (rt *route) operation(s *schemas) schema {
	op := schema{"operationId": rt.id(), "summary": rt.about, "tags": []string{rt.effect.tag()}, "responses": rt.responses(s)}
	if parameters := rt.parameters(s); len(parameters) > 0 {
		op["parameters"] = parameters
	}
	if rt.method == http.MethodPost {
		op["requestBody"] = schema{"required": true, "content": schema{"application/json": schema{"schema": s.request(rt.in)}}}
	}
	return op
}

// id is made from method and path: getSessionsByThreadMessages.
func (rt *route) id() string {
	var id strings.Builder
	id.WriteString(strings.ToLower(rt.method))
	for part := range strings.FieldsFuncSeq(rt.path, func(r rune) bool { return r == '/' || r == '-' || r == '.' }) {
		if inner, ok := strings.CutPrefix(part, "{"); ok {
			part = "by" + strings.ToUpper(inner[:1]) + strings.TrimSuffix(inner[1:], "}")
		}
		id.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return id.String()
}

func (rt *route) responses(s *schemas) schema {
	failed := schema{"description": "What is wrong: code, message, findings with their places.", "content": schema{
		"application/json": schema{"schema": ref("Failure")},
	}}
	out := schema{strconv.Itoa(http.StatusOK): rt.success(s), "default": failed}
	if rt.effect.writes() {
		out[strconv.Itoa(http.StatusForbidden)] = schema{
			"description": "Lab mode is off, the token does not allow it, or a page of another site sent the request.",
			"content":     failed["content"],
		}
	}
	return out
}

func (rt *route) success(s *schemas) schema {
	if rt.out == nil {
		return schema{"description": rt.about, "content": schema{rt.media: schema{}}}
	}
	answer := schema{"allOf": []schema{
		{"type": "object", "properties": schema{"ok": schema{"const": true}}, "required": []string{"ok"}}, s.of(rt.out),
	}}
	return schema{"description": rt.about, "content": schema{"application/json": schema{"schema": answer}}}
}

// parameters are the fields that come from path, query and header.
func (rt *route) parameters(s *schemas) []schema {
	var list []schema
	if rt.in == nil {
		return nil
	}
	for f := range rt.in.Fields() {
		for _, in := range []string{"path", "query", "header"} {
			name := f.Tag.Get(in)
			if name == "" || in == "path" && !strings.Contains(rt.path, "{"+name+"}") {
				continue
			}
			p := schema{"name": name, "in": in, "schema": s.given(f)}
			if about := f.Tag.Get("about"); about != "" {
				p["description"] = about
			}
			if in == "path" {
				p["required"] = true
			}
			if f.Type.Kind() == reflect.Slice {
				p["explode"], p["style"] = f.Tag.Get("list") == "repeated", "form"
			}
			list = append(list, p)
		}
	}
	return list
}

// given describes a field that a client fills in: it may always be left out, so null adds nothing.
func (s *schemas) given(f reflect.StructField) schema {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var out schema
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		out = schema{"type": "array", "items": s.request(t.Elem())}
	} else {
		out = s.of(t)
	}
	if words := f.Tag.Get("choices"); words != "" {
		out = choice(strings.Split(words, ",")...)
	}
	return out
}

// request describes a body: nothing is required by form, nothing else is taken.
func (s *schemas) request(t reflect.Type) schema {
	properties := schema{}
	for _, name := range names(t) {
		f := t.Field(bodyFields(t)[name])
		property := s.given(f)
		if about := f.Tag.Get("about"); about != "" {
			described := schema{"description": about}
			for key, value := range property {
				if key != "description" {
					described[key] = value
				}
			}
			property = described
		}
		properties[name] = property
	}
	return schema{"type": "object", "properties": properties, "additionalProperties": false}
}

// serveDocument answers with the description of the API.
func (a *API) serveDocument(w http.ResponseWriter, _ *http.Request) {
	write(w, http.StatusOK, a.document)
}
