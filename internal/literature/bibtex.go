package literature

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/protocol"
)

// maxMacros is how many texts the macros of a file may come to, and maxFields how many fields an entry has.
const (
	maxMacros = 16 << 20
	maxFields = 1000
)

// bibScanner reads a BibTeX file. What stands outside entries is comment, as for BibTeX itself.
type bibScanner struct {
	text   string
	at     int
	macros map[string]string // of @string, by lower-case name
	grown  int               // bytes that macros have put into values
}

// rawEntry is an entry with its values as they are written, macros filled in.
type rawEntry struct {
	kind, key string
	fields    map[string]string // by lower-case name; of two the first counts, as for BibTeX
	at        int
}

func parseBibTeX(text string) ([]Entry, error) {
	s := bibScanner{text: text, macros: map[string]string{}}
	var entries []Entry
	line := lineCounter[string]{text: text}
	for {
		raw, err := s.next()
		if err != nil || raw == nil {
			return entries, err
		}
		if len(entries) == MaxEntries {
			return nil, s.fail(raw.at, "the file has more than %d entries", MaxEntries)
		}
		e := raw.entry()
		e.Line = line.of(raw.at)
		entries = append(entries, e)
	}
}

// lineCounter finds the lines of places that are asked for in order.
type lineCounter[T ~string | ~[]byte] struct {
	text     T
	at, line int
}

func (c *lineCounter[T]) of(at int) int {
	for ; c.at < at; c.at++ {
		if c.text[c.at] == '\n' {
			c.line++
		}
	}
	return c.line + 1
}

func (s *bibScanner) fail(at int, format string, args ...any) error {
	line := (&lineCounter[string]{text: s.text}).of(min(at, len(s.text)))
	return invalid(line, format, args...)
}

// invalid is a file that cannot be read, with the line.
func invalid(line int, format string, args ...any) error {
	f := protocol.NewFinding(protocol.InvalidInput, format, args...)
	f.Line = line
	if line == 0 {
		return protocol.Errorf(protocol.InvalidInput, "%s", f.Message).WithFindings([]protocol.Finding{f})
	}
	return protocol.Errorf(protocol.InvalidInput, "line %d: %s", line, f.Message).WithFindings([]protocol.Finding{f})
}

// next returns the next entry; nil at the end.
func (s *bibScanner) next() (*rawEntry, error) {
	for {
		i := strings.IndexByte(s.text[s.at:], '@')
		if i < 0 {
			return nil, nil
		}
		start := s.at + i
		s.at = start + 1
		kind := strings.ToLower(s.word())
		s.space()
		opening := s.peek()
		switch {
		case kind == "" || opening != '{' && opening != '(':
			continue // an address, or a comment without braces
		case kind == "comment" || kind == "preamble":
			if _, err := s.group(); err != nil {
				return nil, err
			}
		case kind == "string":
			if err := s.macro(); err != nil {
				return nil, err
			}
		default:
			return s.entry(kind, start)
		}
	}
}

func (s *bibScanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *bibScanner) space() {
	for s.at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.at:])
		if !unicode.IsSpace(r) {
			return
		}
		s.at += size
	}
}

// word reads a name: of a kind, a field or a macro.
func (s *bibScanner) word() string {
	start := s.at
	for s.at < len(s.text) && !strings.ContainsRune("{}(),=#\"%@ \t\r\n\f\v", rune(s.text[s.at])) {
		s.at++
	}
	return s.text[start:s.at]
}

// group reads what stands between the bracket here and its partner. Inside a brace only braces count; inside a parenthesis one
// that is in no brace ends it.
func (s *bibScanner) group() (string, error) {
	start, opening, depth := s.at, s.peek(), 0
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case depth == 0 && (opening == '{' && c == '}' || opening == '(' && c == ')'):
			s.at++
			return s.text[start+1 : s.at-1], nil
		case c == '{':
			if depth++; depth > maxDepth {
				return "", s.fail(s.at, "braces are nested deeper than %d", maxDepth)
			}
		case c == '}':
			if depth--; depth < 0 {
				return "", s.fail(s.at, "a brace is closed that was never opened")
			}
		}
	}
	return "", s.fail(start, "what begins with %q here is never closed", string(opening))
}

func (s *bibScanner) macro() error {
	start, end := s.at, closing(s.peek())
	s.at++
	s.space()
	name := strings.ToLower(s.word())
	value, err := s.assigned(start)
	if err != nil {
		return err
	}
	s.space()
	if s.peek() != end {
		return s.fail(start, "this @string is never closed")
	}
	s.at++
	if len(s.macros) >= MaxEntries {
		return s.fail(start, "the file has more than %d macros", MaxEntries)
	}
	s.macros[name] = value
	return nil
}

func closing(opening byte) byte {
	if opening == '(' {
		return ')'
	}
	return '}'
}

func (s *bibScanner) entry(kind string, start int) (*rawEntry, error) {
	end := closing(s.peek())
	s.at++
	e := &rawEntry{kind: kind, fields: map[string]string{}, at: start}
	keyAt := s.at
	for s.at < len(s.text) && s.text[s.at] != ',' && s.text[s.at] != end && s.text[s.at] != '\n' && s.text[s.at] != '=' {
		s.at++
	}
	e.key = strings.TrimSpace(s.text[keyAt:s.at])
	if s.peek() == '=' { // an entry without a key: its first word is a field
		s.at, e.key = keyAt, ""
	} else {
		s.space()
	}
	for n := 0; ; n++ {
		for s.peek() == ',' {
			s.at++
			s.space()
		}
		s.space()
		switch {
		case s.peek() == end:
			s.at++
			return e, nil
		case s.at >= len(s.text):
			return nil, s.fail(start, "the entry %q is never closed", protocol.Shorten(e.key, 80))
		case n == maxFields:
			return nil, s.fail(start, "the entry %q has more than %d fields", protocol.Shorten(e.key, 80), maxFields)
		}
		if err := s.field(e); err != nil {
			return nil, err
		}
	}
}

// field reads name = value.
func (s *bibScanner) field(e *rawEntry) error {
	start := s.at
	name := strings.ToLower(s.word())
	if name == "" {
		return s.fail(start, "the entry %q has %q where a field should begin", protocol.Shorten(e.key, 80),
			protocol.Shorten(firstRune(s.text[start:]), 8))
	}
	value, err := s.assigned(start)
	if err != nil {
		return err
	}
	if s.space(); s.at < len(s.text) && s.peek() != ',' && s.peek() != '}' && s.peek() != ')' {
		return s.fail(s.at, "the field %s of the entry %q is not followed by a comma", protocol.Shorten(name, 40),
			protocol.Shorten(e.key, 80))
	}
	if _, twice := e.fields[name]; !twice {
		e.fields[name] = value
	}
	return nil
}

func firstRune(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size]
}

// assigned reads = and a value: texts, numbers and macros, joined by #.
func (s *bibScanner) assigned(start int) (string, error) {
	if s.space(); s.peek() != '=' {
		return "", s.fail(start, "a field has no = and no value")
	}
	s.at++
	var value string
	for first := true; ; first = false {
		s.space()
		piece, err := s.piece()
		if err != nil {
			return "", err
		}
		if first {
			value = piece
		} else {
			value += piece
			s.grown += len(value)
		}
		if len(value) > maxField || s.grown > maxMacros {
			return "", s.fail(start, "a value is longer than %d KiB", maxField>>10)
		}
		if s.space(); s.peek() != '#' {
			return value, nil
		}
		s.at++
	}
}

// piece reads a part of a value.
func (s *bibScanner) piece() (string, error) {
	switch s.peek() {
	case '{':
		return s.group()
	case '"':
		return s.quoted()
	}
	start := s.at
	name := s.word()
	if name == "" {
		return "", s.fail(start, "a field has no value")
	}
	if value, ok := s.macros[strings.ToLower(name)]; ok {
		s.grown += len(value)
		return value, nil
	}
	return name, nil // a number, a month, or a macro that the file does not define
}

// quoted reads a text in quotation marks; marks inside braces belong to it.
func (s *bibScanner) quoted() (string, error) {
	start, depth := s.at, 0
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"' && depth == 0:
			s.at++
			return s.text[start+1 : s.at-1], nil
		case c == '{':
			if depth++; depth > maxDepth {
				return "", s.fail(s.at, "braces are nested deeper than %d", maxDepth)
			}
		case c == '}':
			if depth--; depth < 0 {
				return "", s.fail(s.at, "a brace is closed that was never opened")
			}
		}
	}
	return "", s.fail(start, "a quotation mark is never closed")
}
