package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// field is an argument in a tool's input schema. Schemas are written by hand: they show the form
// to send, while more forms are understood.
type field struct {
	name     string
	kind     string // a type of JSON Schema, with ? behind what may be null; "names" for a list of strings
	items    string // of an array, JSON; empty: anything
	about    string
	fallback string // JSON; empty: none is shown
	choices  []string
	required bool
}

func textField(name, about string) field    { return field{name: name, kind: "string", about: about} }
func numberField(name, about string) field  { return field{name: name, kind: "integer", about: about} }
func flagField(name, about string) field    { return field{name: name, kind: "boolean", about: about} }
func namesField(name, about string) field   { return field{name: name, kind: "names", about: about} }
func (f field) must() field                 { f.required = true; return f }
func (f field) or(fallback string) field    { f.fallback = fallback; return f }
func (f field) among(words ...string) field { f.choices = words; return f }

// The arguments that many tools share.
var (
	projectField = textField("project_key", "the project's path or slug").must()
	threadField  = textField("thread_id", "such as RS-20260110-cells")
	agentField   = textField("agent_name", "your agent name").must()
	senderField  = textField("sender_name", "your agent name").must()
	limitField   = numberField("limit", "at most so many").or("20")
	bodiesField  = flagField("include_bodies", "with the texts")
	messageField = numberField("message_id", "the message's number").must()
	keyField     = textField("idempotency_key", "the same key sends once")
	pathsField   = namesField("paths", "globs; absent: all of yours")
	programField = textField("program", "claude-code, codex-cli, …")
	modelField   = textField("model", "the model you are")
)

// inputSchema writes the fields as a JSON Schema, in their order.
func inputSchema(fields []field) json.RawMessage { return json.RawMessage(inputSchemaOf(fields)) }

func inputSchemaOf(fields []field) string {
	w := objectWriter{}
	var required []string
	for _, f := range fields {
		w.member(f.name, f.schema())
		if f.required {
			required = append(required, f.name)
		}
	}
	schema := objectWriter{}
	schema.member("type", `"object"`)
	schema.member("properties", w.String())
	if len(required) > 0 {
		schema.member("required", encodeText(required))
	}
	return schema.String()
}

func (f field) schema() string {
	w := objectWriter{}
	kind, nullable := strings.CutSuffix(f.kind, "?")
	switch {
	case kind == "names":
		w.member("type", `"array"`)
		w.member("items", `{"type":"string"}`)
	case nullable:
		w.member("type", `[`+encodeText(kind)+`,"null"]`)
	default:
		w.member("type", encodeText(kind))
	}
	if f.items != "" {
		w.member("items", f.items)
	}
	if f.about != "" {
		w.member("description", encodeText(f.about))
	}
	if len(f.choices) > 0 {
		w.member("enum", encodeText(f.choices))
	}
	if f.fallback != "" {
		w.member("default", f.fallback)
	}
	return w.String()
}

// outputSchema writes the keys of an answer, given as "name:type" with a question mark behind what
// may be null. Nothing is required: a failed call answers with error instead, and some clients
// hold that against the schema too.
func outputSchema(keys string) json.RawMessage {
	w := objectWriter{}
	for key := range strings.FieldsSeq(keys) {
		name, kind, _ := strings.Cut(key, ":")
		kind, nullable := strings.CutSuffix(kind, "?")
		switch {
		case nullable:
			w.member(name, `{"type":[`+encodeText(kind)+`,"null"]}`)
		default:
			w.member(name, `{"type":`+encodeText(kind)+`}`)
		}
	}
	schema := objectWriter{}
	schema.member("type", `"object"`)
	schema.member("properties", w.String())
	return json.RawMessage(schema.String())
}

// objectWriter writes a JSON object member by member.
type objectWriter struct{ b strings.Builder }

func (w *objectWriter) member(name, value string) {
	if w.b.Len() > 0 {
		w.b.WriteByte(',')
	}
	w.b.WriteString(encodeText(name) + ":" + value)
}

func (w *objectWriter) String() string { return "{" + w.b.String() + "}" }

// encode writes JSON without the escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// encodeText encodes what always can be: strings and lists of them.
func encodeText[T string | []string](v T) string {
	data, err := encode(v)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(data)
}

// appendText writes text as a JSON string. An answer's text is JSON itself, nearly always without
// anything but quotes to escape; what has more goes to the encoder.
func appendText(b, text []byte) []byte {
	begin := len(b)
	b = append(b, '"')
	done := 0
	for i, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(append(b, text[done:i]...), '\\', c)
			done = i + 1
		case c < ' ' || c >= utf8.RuneSelf:
			return append(b[:begin], encodeText(string(text))...)
		}
	}
	return append(append(b, text[done:]...), '"')
}
