package api

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"brenner/internal/protocol"
)

// maxBody is the largest body that is read: a message of 1 MiB may take six times that as JSON.
const maxBody = 8 << 20

// decode reads a request into a typed value, once: fields with the tag path, query or header come from
// there, those with the tag json from the body. Whatever is unknown, missing or of another type
// is said with its path, all of it at once.
func decode[In any](r *http.Request) (In, error) {
	var in In
	err := decodeInto(r, reflect.ValueOf(&in).Elem())
	return in, err
}

// decodeInto is decode for a type that the compiler does not know.
func decodeInto(r *http.Request, in reflect.Value) error {
	body, err := readBody(r, limitOf(in))
	if err != nil {
		return err
	}
	d := &decoder{}
	d.address(r, in)
	if r.Method == http.MethodPost {
		d.body(body, in)
	}
	return d.err()
}

// limitOf is the largest body that a request may have.
func limitOf(in reflect.Value) int64 {
	if own, ok := reflect.TypeAssert[interface{ limit() int64 }](in); ok {
		return own.limit()
	}
	return maxBody
}

// readBody demands JSON by name: a form of another site cannot send that without asking first.
func readBody(r *http.Request, most int64) ([]byte, error) {
	if r.Method != http.MethodPost {
		return nil, nil
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := params["charset"]; err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, statusError{protocol.Errorf(protocol.Usage, "the body must be JSON and say so: Content-Type: application/json"),
			http.StatusUnsupportedMediaType}
	}
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, most))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, statusError{protocol.Errorf(protocol.MessageTooLarge, "the body is larger than %d MiB", most>>20),
			http.StatusRequestEntityTooLarge}
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Usage, "the body cannot be read: %v", err)
	}
	return data, nil
}

// The bounds of a request. Few faults are said, and what follows them is not read: a hostile body has
// millions. No list that means something is longer, and no roster larger.
const (
	maxFaults   = 20
	maxElements = 1000
	maxRaw      = 64 << 10
)

// decoder collects what is wrong with a request.
type decoder struct{ findings []protocol.Finding }

// full tells whether enough was found wrong.
func (d *decoder) full() bool { return len(d.findings) >= maxFaults }

func (d *decoder) report(code protocol.Code, path, format string, args ...any) {
	if d.full() {
		return
	}
	f := protocol.NewFinding(code, format, args...).In(path).As(protocol.SeverityError)
	if code == protocol.UnknownField { // in a delta it would be kept
		f = f.WithFix("Leave it out, or check its spelling.")
	}
	d.findings = append(d.findings, f)
}

func (d *decoder) err() error {
	if len(d.findings) == 0 {
		return nil
	}
	return protocol.Errorf(protocol.Usage, "the request cannot be read: %s", d.findings[0].Message).WithFindings(d.findings)
}

// address reads path, query and header.
func (d *decoder) address(r *http.Request, to reflect.Value) {
	query := r.URL.Query()
	var known []string
	for i := range to.NumField() {
		tag := to.Type().Field(i).Tag
		if name := tag.Get("path"); name != "" {
			d.text(r.PathValue(name), name, to.Field(i))
		}
		if name := tag.Get("header"); name != "" {
			d.text(r.Header.Get(name), name, to.Field(i))
		}
		if name := tag.Get("query"); name != "" {
			known = append(known, name)
			d.query(query[name], name, tag.Get("list"), to.Field(i))
		}
	}
	for name := range query {
		if !slices.Contains(known, name) {
			d.report(protocol.UnknownField, protocol.Brief(name), "There is no parameter %q here; known are: %s.", protocol.Brief(name),
				orNone(known))
		}
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// query reads the values of a parameter; a list may also be one value with commas, unless its elements may hold one and it is repeated.
func (d *decoder) query(values []string, name, form string, to reflect.Value) {
	if form == "repeated" {
		if len(values) > maxElements {
			d.report(protocol.InvalidField, name, "%s has more than %d values.", name, maxElements)
			return
		}
		to.Set(reflect.ValueOf(values))
		return
	}
	if to.Kind() == reflect.Slice {
		for _, value := range values {
			for part := range strings.SplitSeq(value, ",") {
				if part != "" {
					to.Set(reflect.Append(to, reflect.ValueOf(part).Convert(to.Type().Elem())))
				}
			}
		}
		return
	}
	if len(values) > 1 {
		d.report(protocol.InvalidField, name, "%s is given more than once.", name)
		return
	}
	if len(values) == 1 {
		d.text(values[0], name, to)
	}
}

// text reads one value of an address. Nothing is the same as not given.
func (d *decoder) text(value, name string, to reflect.Value) {
	if value == "" {
		return
	}
	if !utf8.ValidString(value) {
		d.report(protocol.InvalidEncoding, name, "%s is not UTF-8.", name)
		return
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch to.Kind() {
	case reflect.String:
		to.SetString(value)
	case reflect.Bool:
		b, err := strconv.ParseBool(value)
		if err != nil {
			d.report(protocol.InvalidField, name, "%s is true or false, not %q.", name, protocol.Brief(value))
		}
		to.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 || to.OverflowInt(n) {
			d.report(protocol.InvalidField, name, "%s is a whole number from 0, not %q.", name, protocol.Brief(value))
			return
		}
		to.SetInt(n)
	default:
		panic("no rule reads " + to.Type().String()) // a mistake in the route table: the tests read every route
	}
}
