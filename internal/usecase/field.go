package usecase

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Kind is what a field of a request holds.
type Kind uint8

// The kinds.
const (
	Text  Kind = iota
	Texts      // a list
	Number
	Flag
	Version // the number of a version, or none
	Object  // has fields of its own
)

// Field is a field of a request. Fields are declared by the tags of the request's type:
//
//	path      part of the route's address; a tool and a command name it too
//	query     a parameter of the route, an argument of the tool, a flag of the command
//	json      the same for a use case that writes: a key of the route's body
//	must      it must be given
//	actor     it says who acts
//	about     what it means
//	choices   the values it may have, the first being the default
//	word      the word of about that stands for the value
//	args      the command takes it as its arguments, under this name, and needs at least one
//	argument  the command takes it as an argument of this name, which may be left out
//	flag      the flag of the command, where it has another name
//	needs     the field without which it means nothing
//	without   the surfaces that do not offer it: tool, command
type Field struct {
	Name     string
	Kind     Kind
	About    string
	Choices  []string
	Word     string
	Args     string
	Argument string
	Flag     string // the command's; - for _ in the name unless declared
	Needs    string
	Required bool
	Untold   bool // the tool does not offer it
	Untyped  bool // nor does the command
	Place    bool // part of the route's address
	Thread   bool // names the session
	Actor    bool // says who acts
	Index    int  // in the request's type
}

// Fields returns the fields of the request, in their order.
func (c *Case) Fields() []Field {
	var list []Field
	for i := range c.Request.NumField() {
		list = append(list, c.field(i))
	}
	return list
}

func (c *Case) field(i int) Field {
	declared := c.Request.Field(i)
	tag := declared.Tag
	f := Field{Name: cmp.Or(tag.Get("query"), tag.Get("json")), Kind: kindOf(declared.Type), About: tag.Get("about"), Word: tag.Get("word"),
		Args: tag.Get("args"), Argument: tag.Get("argument"),
		Needs: tag.Get("needs"), Index: i, Actor: tag.Get("actor") != "", Required: tag.Get("must") != "",
		Untold: strings.Contains(tag.Get("without"), "tool"), Untyped: strings.Contains(tag.Get("without"), "command")}
	if place := tag.Get("path"); place != "" {
		f.Name, f.Place, f.Thread = place, true, place == "thread"
		f.Required = !f.Thread || !c.Anyhow
	}
	f.Flag = cmp.Or(tag.Get("flag"), strings.ReplaceAll(f.Name, "_", "-"))
	if choices := tag.Get("choices"); choices != "" {
		f.Choices = strings.Split(choices, ",")
	}
	f.Required = f.Required || f.Args != ""
	return f
}

func kindOf(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Bool:
		return Flag
	case reflect.Int, reflect.Int64:
		return Number
	case reflect.Slice:
		return Texts
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Int {
			return Version
		}
		return Object
	}
	panic("no request has a " + t.String()) // a mistake in a declaration: the tests read every one
}

// Check refuses a request that says too little, or what does not go together, before anything is opened for it.
func (c *Case) Check(request any) error { return c.check(reflect.ValueOf(request)) }

// check refuses a value that is not among its choices, a list that is missing, and what means nothing without another field.
func (c *Case) check(request reflect.Value) error {
	fields := c.Fields()
	for _, f := range fields {
		value := request.Field(f.Index)
		switch {
		case f.Required && !f.Thread && (value.IsZero() || f.Kind == Texts && value.Len() == 0):
			return refuse(f, "%s is missing", f.Name)
		case len(f.Choices) > 0 && value.String() != "" && !slices.Contains(f.Choices, value.String()):
			return refuse(f, "%s is %s, not %q", f.Name, either(f.Choices), protocol.Brief(value.String()))
		case f.Needs != "" && !value.IsZero() && request.Field(named(fields, f.Needs).Index).IsZero():
			return refuse(f, "%s means nothing without %s: give both", f.Name, f.Needs)
		}
	}
	return nil
}

// named finds a field by its name.
func named(fields []Field, name string) Field {
	return fields[slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })]
}

// refuse says what is wrong with a field of a request.
func refuse(f Field, format string, args ...any) error {
	said := fmt.Sprintf(format, args...)
	finding := protocol.NewFinding(protocol.InvalidField, "%s.", said).In(f.Name).As(protocol.SeverityError)
	return protocol.Errorf(protocol.Usage, "%s", said).WithFindings([]protocol.Finding{finding})
}

// either lists the values that may be chosen.
func either(choices []string) string {
	last := len(choices) - 1
	if last < 1 {
		return strings.Join(choices, "")
	}
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}
