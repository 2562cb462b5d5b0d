package mail

import (
	"slices"
	"strings"
	"unicode"

	"brenner/internal/protocol"
)

// SearchQuery selects messages by their words. Zero fields do not restrict.
type SearchQuery struct {
	Project ProjectID
	Expr    Expr // from ParseSearch; never nil
	Thread  string
	Types   []protocol.MessageType
	Filter  func(*Message) bool // only what it accepts; it must be quick and not call the store. nil: all
	Limit   int                 // at least 1
}

// Candidates is how many matches are ranked against each other. Where more match, the
// newest are the result: ranking a common word over the whole log would take seconds.
const Candidates = 100

// Expr is a search expression: a Term, an And or an Or. Each holds at least one Term that must
// be found, so that an index can answer it.
type Expr interface {
	// Match tells whether a text matches, given as the words of its fields.
	Match(fields ...[]string) bool
}

// Term finds words that follow each other in one field.
type Term struct {
	Words  []string // lower case, at least one
	Prefix bool     // the last word may go on
}

// And finds what matches all of All and none of None.
type And struct {
	All, None []Expr // All is not empty
}

// Or finds what matches any of its parts; it is not empty.
type Or []Expr

// Words returns the words of a text as search sees them: runs of letters, digits and marks,
// in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// Match implements Expr.
func (t Term) Match(fields ...[]string) bool {
	return t.count(fields...) > 0
}

// count tells how often the term occurs in the fields.
func (t Term) count(fields ...[]string) int {
	n := 0
	for _, words := range fields {
		for i := 0; i+len(t.Words) <= len(words); i++ {
			if t.at(words[i:]) {
				n++
			}
		}
	}
	return n
}

func (t Term) at(words []string) bool {
	last := len(t.Words) - 1
	for i, w := range t.Words[:last] {
		if words[i] != w {
			return false
		}
	}
	if t.Prefix {
		return strings.HasPrefix(words[last], t.Words[last])
	}
	return words[last] == t.Words[last]
}

// Match implements Expr.
func (a And) Match(fields ...[]string) bool {
	for _, e := range a.All {
		if !e.Match(fields...) {
			return false
		}
	}
	for _, e := range a.None {
		if e.Match(fields...) {
			return false
		}
	}
	return true
}

// Match implements Expr.
func (o Or) Match(fields ...[]string) bool {
	for _, e := range o {
		if e.Match(fields...) {
			return true
		}
	}
	return false
}

// Match tells whether a message is one that the query asks for. Engines use it for messages
// that their index does not have yet.
func (q *SearchQuery) Match(m *Message) bool {
	return m.Project == q.Project &&
		(q.Thread == "" || m.ThreadID == q.Thread) &&
		matchType(q.Types, m.Type) &&
		(q.Filter == nil || q.Filter(m)) &&
		q.Expr.Match(Words(m.Subject), Words(m.Body))
}

func matchType(types []protocol.MessageType, t protocol.MessageType) bool {
	return len(types) == 0 || slices.Contains(types, t)
}
