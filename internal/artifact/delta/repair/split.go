package repair

import (
	"slices"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// piece is a part of a text that holds deltas: an object, or words around it.
type piece struct {
	words   string // text that is no JSON; empty for an object
	raw     string // the object as written
	mended  string // the object repaired
	repairs []protocol.Finding
	delta   bool // it has operation and section
	block   int  // place among all objects of the message, from 0
}

func (p *piece) isObject() bool { return p.raw != "" }

// splitter takes the content of a fence, or what is in its place, apart into objects and
// words.
type splitter struct {
	lexer  looseLexer
	place  func(offset int) (line, column int)
	pieces []piece

	commentAt int // place of the first comment outside an object, plus 1; 0 if there is none
}

// split takes a text apart. It fails if there is no object, or one that cannot be read.
func split(source string, place func(offset int) (line, column int)) ([]piece, bool) {
	s := splitter{lexer: looseLexer{source: source}, place: place}
	for s.lexer.pos < len(source) {
		switch rest := source[s.lexer.pos:]; {
		case strings.IndexByte(" \t\r\n,", rest[0]) >= 0:
			s.lexer.pos++
		case rest[0] == '{' || rest[0] == '[':
			if !s.object() {
				return nil, false
			}
		case !s.comment(rest):
			s.line(rest)
		}
	}
	for i := range s.pieces {
		if p := &s.pieces[i]; p.isObject() {
			s.report(p)
			return s.pieces, true
		}
	}
	return nil, false
}

// comment takes a comment that is outside an object, if there is one.
func (s *splitter) comment(rest string) bool {
	n := 0
	switch {
	case strings.HasPrefix(rest, "//"):
		n = lineLength(rest)
	case strings.HasPrefix(rest, "/*") && !s.lexer.openComment:
		end := strings.Index(rest[2:], "*/")
		s.lexer.openComment = end < 0
		n = end + len("/*") + len("*/")
	}
	if n == 0 || s.lexer.openComment {
		return false
	}
	if s.commentAt == 0 {
		s.commentAt = s.lexer.pos + 1
	}
	s.lexer.pos += n
	return true
}

// report tells about the comments around the objects, with the first of them.
func (s *splitter) report(first *piece) {
	if s.commentAt == 0 {
		return
	}
	m := mender{place: s.place}
	m.did(protocol.InvalidJSON, s.commentAt-1, "", "%s", lapseRepairs[comment])
	first.repairs = append(m.repairs, first.repairs...)
}

// line takes a line that is no JSON. Lines of fences are dropped, words kept.
func (s *splitter) line(rest string) {
	n := lineLength(rest)
	line := strings.TrimRight(rest[:n], " \t")
	s.lexer.pos += n
	switch {
	case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
	case len(s.pieces) > 0 && !s.pieces[len(s.pieces)-1].isObject():
		s.pieces[len(s.pieces)-1].words += "\n" + line
	default:
		s.pieces = append(s.pieces, piece{words: line})
	}
}

// object takes one object, or the objects of a list.
func (s *splitter) object() bool {
	s.lexer.lapses = [lapseCount]int{}
	v, ok := parseLoose(&s.lexer, 0)
	if !ok {
		return false
	}
	if list := listed(v); list != nil {
		for _, o := range list {
			s.add(o, protocol.NotAnObject, "Took the delta out of what it was wrapped in.")
			s.lexer.lapses = [lapseCount]int{}
		}
		return true
	}
	if v.kind != strictjson.Object {
		return false
	}
	s.add(v, "", "")
	return true
}

// listed returns the objects of a list, or those wrapped in an object of their own:
// {"deltas": […]}, {"delta": {…}}.
func listed(v *loose) []*loose {
	if v.kind == strictjson.Object && len(v.members) == 1 {
		inner := v.members[0].value
		if isDeltaObject(inner) {
			return []*loose{inner}
		}
		if slices.ContainsFunc(inner.elements, func(o *loose) bool { return !isDeltaObject(o) }) {
			return nil
		}
		return inner.elements
	}
	if slices.ContainsFunc(v.elements, func(o *loose) bool { return o.kind != strictjson.Object }) {
		return nil
	}
	return v.elements
}

// isDeltaObject tells whether an object is meant as a delta: it has operation and section
// (MB-122).
func isDeltaObject(v *loose) bool {
	if v.kind != strictjson.Object {
		return false
	}
	operation, section := false, false
	for i := range v.members {
		switch strings.ToLower(v.members[i].name) {
		case delta.OperationKey:
			operation = true
		case delta.SectionKey:
			section = true
		}
	}
	return operation && section
}

// add mends an object and adds it. The code, if any, says what was wrong with its place.
func (s *splitter) add(o *loose, code protocol.Code, repair string) {
	m := mender{place: s.place}
	if code != "" {
		m.did(code, o.start, "", "%s", repair)
	}
	for k, at := range s.lexer.lapses {
		if at > 0 {
			m.did(protocol.InvalidJSON, at-1, "", "%s", lapseRepairs[k])
		}
	}
	raw := s.lexer.source[o.start:o.end]
	m.mend(o)
	p := piece{raw: raw, mended: raw, delta: isDeltaObject(o), repairs: m.repairs}
	if len(m.repairs) > 0 {
		p.mended = o.write()
	}
	s.pieces = append(s.pieces, p)
}
