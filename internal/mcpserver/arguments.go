package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"brenner/internal/protocol"
)

// arguments are what a client sent to a tool, read liberally: null is absent, a number may
// arrive as a string, one name instead of a list, unknown arguments are ignored. What cannot be
// read at all is collected, so that a caller learns of everything at once.
type arguments struct {
	values   map[string]json.RawMessage
	findings []protocol.Finding
}

// decodeArguments reads the object of a call. An absent one has no arguments.
func decodeArguments(raw json.RawMessage) (*arguments, error) {
	a := &arguments{}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return a, nil
	}
	if raw[0] != '{' {
		return nil, newFault(jsonrpc.CodeInvalidParams, "the arguments are not a JSON object")
	}
	if !wellEncoded(raw) {
		return nil, protocol.Errorf(protocol.InvalidEncoding, "the arguments are not UTF-8 text")
	}
	if err := json.Unmarshal(raw, &a.values); err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "the arguments are not a JSON object")
	}
	return a, nil
}

// wellEncoded tells whether JSON text holds UTF-8 only. The decoder would put U+FFFD where a
// byte or half of a surrogate pair makes no character, and so change a message (PROTOCOL 1).
func wellEncoded(raw []byte) bool {
	if !utf8.Valid(raw) {
		return false
	}
	for rest := raw; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 || i+1 >= len(rest) {
			return true
		}
		rest = rest[i:]
		switch unit, ok := codeUnit(rest); {
		case !ok:
			rest = rest[2:]
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return false
		case unit >= 0xD800 && unit <= 0xDBFF:
			if low, ok := codeUnit(rest[6:]); !ok || low < 0xDC00 || low > 0xDFFF {
				return false
			}
			rest = rest[12:]
		default:
			rest = rest[6:]
		}
	}
}

// codeUnit reads an escape of the form \uXXXX.
func codeUnit(text []byte) (unit uint16, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | uint16(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit = unit<<4 | uint16(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// value returns the first of the names that is given.
func (a *arguments) value(names ...string) (name string, raw json.RawMessage, given bool) {
	for _, name := range names {
		if raw, ok := a.values[name]; ok && string(raw) != "null" {
			return name, raw, true
		}
	}
	return names[0], nil, false
}

// given tells whether an argument is there.
func (a *arguments) given(names ...string) bool {
	_, _, given := a.value(names...)
	return given
}

func (a *arguments) missing(name string) {
	a.note(protocol.NewFinding(protocol.InvalidInput, "%s is missing.", name).In(name).WithFix("Add %q to the arguments.", name))
}

func (a *arguments) complain(name, format string, args ...any) {
	a.note(protocol.NewFinding(protocol.InvalidInput, format, args...).In(name))
}

// note keeps the first thing to say about an argument.
func (a *arguments) note(f protocol.Finding) {
	if !slices.ContainsFunc(a.findings, func(have protocol.Finding) bool { return have.Path == f.Path }) {
		a.findings = append(a.findings, f)
	}
}

// err says everything that is wrong with the arguments, nil if nothing is.
func (a *arguments) err() error {
	if len(a.findings) == 0 {
		return nil
	}
	said := make([]string, len(a.findings))
	for i, f := range a.findings {
		said[i] = f.Message
	}
	return protocol.Errorf(protocol.InvalidInput, "%s", strings.Join(said, " ")).WithFindings(slices.Clip(a.findings))
}
