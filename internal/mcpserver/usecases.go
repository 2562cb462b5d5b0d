package mcpserver

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"brenner/internal/artifact/diff"
	"brenner/internal/usecase"
)

// readingTools are the reads of a session and of its science, made from their declarations.
func readingTools() []*tool {
	var list []*tool
	for _, c := range slices.Concat(usecase.Science(), usecase.Reading()) {
		if c.HasTool() {
			list = append(list, declaredTool(c))
		}
	}
	return list
}

// actingTools are the declared use cases that write under an agent's name.
func actingTools() []*tool {
	var list []*tool
	for _, c := range usecase.Acting() {
		if c.HasTool() && c.Effect == usecase.Acts {
			t := declaredTool(c)
			t.effect, t.session = adds, c.Core
			list = append(list, t)
		}
	}
	return list
}

// declaredTool makes the tool of a declared read. An agent of a session, which has few tools, is told what to do next.
func declaredTool(c *usecase.Case) *tool {
	return &tool{
		name: c.Tool(), about: c.About, effect: reads, core: c.Core, session: c == usecase.Next.Case,
		in: append([]field{projectField}, declaredFields(c)...), out: keysOf(c.Answer) + " notice:string",
		run: func(ctx context.Context, call *call) (any, error) { return call.ask(ctx, c) },
	}
}

// declaredFields are the arguments of a declared use case.
func declaredFields(c *usecase.Case) []field {
	var list []field
	for _, f := range c.Fields() {
		if f.Untold {
			continue
		}
		if f.Actor {
			sender := senderField
			sender.required = !c.Request.Implements(reflect.TypeFor[usecase.Trial]())
			list = append(list, sender)
			continue
		}
		declared := field{name: argument(f), kind: [...]string{"string", "names", "integer", "boolean", "integer"}[f.Kind], about: f.About,
			required: f.Required}
		if f.Thread && f.About == "" {
			declared.about = threadField.about
		}
		if len(f.Choices) > 0 {
			declared = declared.among(f.Choices...).or(encodeText(f.Choices[0]))
		}
		list = append(list, declared)
	}
	return list
}

// argument is the name under which a tool takes a field: threads are thread_id everywhere over MCP.
func argument(f usecase.Field) string {
	if f.Thread {
		return threadField.name
	}
	return f.Name
}

// ask does a declared use case and answers with the notice.
func (c *call) ask(ctx context.Context, declared *usecase.Case) (any, error) {
	answer, err := c.do(ctx, declared)
	return noticed{answer}, err
}

// do reads the arguments of a declared use case and does it.
func (c *call) do(ctx context.Context, declared *usecase.Case) (any, error) {
	request := reflect.New(declared.Request).Elem()
	thread := c.fill(declared, request)
	p, err := c.threadProject(ctx, thread)
	if err != nil {
		return nil, err
	}
	at, err := declared.At(ctx, p.sessions, thread)
	if err == nil && declared.Anyhow && thread == "" {
		at.Readable, err = c.server.access(c.caller, p).ThreadSet(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := c.admitted(ctx, p); err != nil {
		return nil, err
	}
	answer, err := declared.Do(ctx, at, request.Interface())
	if receipt := usecase.ReceiptOf(answer); err != nil && receipt != nil {
		err = refusal{err, advisedReceipt(receipt)}
	}
	return answer, err
}

// admitted refuses agents that the call acts for and that the project does not know.
func (c *call) admitted(ctx context.Context, p *project) error {
	for _, agent := range c.acting {
		if err := p.admit(ctx, agent); err != nil {
			return err
		}
	}
	return nil
}

// fill reads the arguments of a call into a request, and returns the thread that it names. Nobody acts in a trial.
func (c *call) fill(declared *usecase.Case, request reflect.Value) (thread string) {
	var actors []reflect.Value
	for _, f := range declared.Fields() {
		to, name := request.Field(f.Index), argument(f)
		switch {
		case f.Untold:
		case f.Actor:
			actors = append(actors, to)
		case f.Thread && f.Required:
			thread = c.thread()
			to.SetString(thread)
		case f.Required && f.Kind == usecase.Text:
			to.SetString(strings.TrimSpace(c.required(name)))
		case f.Kind == usecase.Text:
			text := strings.TrimSpace(c.text(name))
			to.SetString(text)
			if f.Thread {
				thread = text
			}
		case f.Kind == usecase.Texts:
			to.Set(reflect.ValueOf(c.names(name)))
		case f.Kind == usecase.Number:
			to.SetInt(c.id(name))
		case f.Kind == usecase.Flag:
			to.SetBool(c.flag(name))
		case f.Kind == usecase.Version:
			to.Set(reflect.ValueOf(c.version(name)))
		}
	}
	if !usecase.IsTrial(request.Interface()) {
		for _, to := range actors {
			to.SetString(c.actor(senderField.name))
		}
	}
	return thread
}

// noticed is an answer as every surface gives it, with the notice that goes with what agents wrote.
type noticed struct{ answer any }

// result puts the notice behind the keys of the answer.
func (n noticed) result() (toolResult, error) {
	data, err := encode(n.answer)
	if err != nil {
		return toolResult{}, err
	}
	data = append(data[:len(data)-1], `,"notice":`...)
	data = append(append(data, encodeText(notice)...), '}')
	return toolResult{structured: data, text: data}, nil
}

// keysOf lists the keys of an answer for outputSchema.
func keysOf(t reflect.Type) string {
	var keys []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			keys = append(keys, keysOf(f.Type))
		case f.IsExported() && name != "" && name != "-":
			keys = append(keys, name+":"+schemaType(f.Type))
		}
	}
	return strings.Join(keys, " ")
}

// schemaType is the type of JSON Schema that a value is written as.
func schemaType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[diff.Label](): // the number of a version: over MCP no file is compared
		return "integer"
	case t.Kind() == reflect.Pointer:
		return schemaType(t.Elem()) + "?"
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return "array"
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		return "object"
	case t.Kind() == reflect.String || t.Implements(reflect.TypeFor[json.Marshaler]()):
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Float64:
		return "number"
	}
	return "integer"
}
