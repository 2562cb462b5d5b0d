package protocol

import "strings"

const maxAgentName = 64

// ValidAgentName tells whether a name has the form of an agent's: ASCII letters, digits, _
// and -, at most 64. Other letters are left out so that names compare the same ignoring
// case everywhere.
func ValidAgentName(name string) bool {
	return name != "" && len(name) <= maxAgentName &&
		!strings.ContainsFunc(name, func(r rune) bool { return !nameRune(r) })
}

func nameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// Operator is the agent under whose name a person acts who gives none. It convenes every thread
// (PROTOCOL 3).
const Operator = "Operator"

// SameAgent tells whether two names are of one agent: names are unique ignoring case
// (PROTOCOL 11).
func SameAgent(a, b string) bool { return strings.EqualFold(a, b) }
