package protocol

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Code names one kind of finding or failure. Codes are stable: see codes.go.
type Code string

// Severity says how much a finding weighs.
type Severity string

// The three severities. An error refuses or rejects; the others never do.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// SeverityCount is the number of severities.
const SeverityCount = 3

// Rank orders severities, gravest first, from 0.
func (s Severity) Rank() int {
	switch s {
	case SeverityError:
		return 0
	case SeverityWarning:
		return 1
	default:
		return 2
	}
}

// Finding is one thing to say about an input. It has one shape on every surface.
type Finding struct {
	Code     Code
	Severity Severity
	Message  string  // what is wrong in this input
	Item     string  // artifact item, such as H2; empty if none
	Path     string  // place inside the input, such as payload.anchors[0]; empty if none
	Line     int     // from 1 in the message as sent; 0 if unknown
	Column   int     // from 1, in code points; 0 if unknown
	Fix      string  // what to write or do instead, in a sentence; empty if there is nothing to do
	Action   *Action // what does it; nil if no operation does
}

// Claim is something that a record says of itself and no proof covers.
type Claim struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// NewFinding makes a finding with the severity and the fix that the table gives its code.
func NewFinding(code Code, format string, args ...any) Finding {
	info := code.Info()
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, plainly(args)...)
	}
	return Finding{Code: code, Severity: info.Severity, Message: oneLine(message), Fix: info.Fix, Action: code.Action()}
}

// lineBreaks are the characters that end a line.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

// oneLine keeps what a finding quotes from breaking its message into lines.
func oneLine(text string) string {
	if !strings.ContainsAny(text, lineBreaks) {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(lineBreaks, r) }), " ")
}

// At returns the finding with a position.
func (f Finding) At(line, column int) Finding {
	f.Line, f.Column = line, column
	return f
}

// On returns the finding about an artifact item.
func (f Finding) On(item string) Finding {
	f.Item = item
	return f
}

// In returns the finding with a path inside the input.
func (f Finding) In(path string) Finding {
	f.Path = path
	return f
}

// WithFix returns the finding with a fix made for this input. What the table would do goes with the table's fix.
func (f Finding) WithFix(format string, args ...any) Finding {
	f.Fix, f.Action = format, nil
	if len(args) > 0 {
		f.Fix = fmt.Sprintf(format, plainly(args)...)
	}
	return f
}

// Doing returns the finding with the operation that does what its fix says.
func (f Finding) Doing(a Action) Finding {
	f.Action = &a
	return f
}

// Restored returns a finding that was kept without its action with the action of the table, where the fix is the table's.
func (f Finding) Restored() Finding {
	if f.Action == nil && f.Fix == f.Code.Info().Fix {
		f.Action = f.Code.Action()
	}
	return f
}

// As returns the finding with another severity.
func (f Finding) As(s Severity) Finding {
	f.Severity = s
	return f
}

// Lowered returns the finding as a warning if it was an error (PROTOCOL 3: mail that
// already exists cannot be refused any more).
func (f Finding) Lowered() Finding {
	if f.Severity == SeverityError {
		f.Severity = SeverityWarning
	}
	return f
}

type findingJSON struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Item     *string  `json:"item"`
	Path     *string  `json:"path"`
	Line     *int     `json:"line"`
	Column   *int     `json:"column"`
	Fix      *string  `json:"fix"`
	Action   *Action  `json:"action,omitempty"`
}

// MarshalJSON writes every key; what is absent is null, but for the action.
func (f Finding) MarshalJSON() ([]byte, error) {
	return json.Marshal(findingJSON{
		f.Code, f.Severity, f.Message,
		OrNull(f.Item), OrNull(f.Path), OrNull(f.Line), OrNull(f.Column), OrNull(f.Fix), f.Action,
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(data []byte) error {
	var j findingJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*f = Finding{
		j.Code, j.Severity, j.Message,
		value(j.Item), value(j.Path), value(j.Line), value(j.Column), value(j.Fix), j.Action,
	}
	return nil
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// HasErrors tells whether any finding is an error.
func HasErrors(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == SeverityError })
}

// SortByPlace orders findings by line, then column, then severity, keeping the order of
// equals.
func SortByPlace(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()))
	})
}
