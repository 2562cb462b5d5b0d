package protocol

import (
	"strings"

	"brenner/internal/pattern"
)

const maxAgentName = 64

// identifier is what agents, programs and models are called (PROTOCOL 16). It reaches command lines:
// it is no flag, and nothing in it means something to a shell.
var identifier = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]{0,63}$`)

// ValidIdentifier tells whether text can name an agent, a program or a model.
func ValidIdentifier(text string) bool { return identifier().MatchString(text) }

// CheckIdentifier judges the name of a program or a model at path; none is fine.
func CheckIdentifier(text, path string) []Finding {
	if text == "" || ValidIdentifier(text) {
		return nil
	}
	return []Finding{NewFinding(InvalidInput, "%s cannot be %q.", path, shorten(text)).In(path).
		WithFix("Begin with a letter or digit; then letters, digits, spaces and . _ : / @ + -, at most 64 in all.")}
}

// ValidAgentName tells whether a name has the form of an agent's: an identifier of ASCII letters,
// digits, _ and -, at most 64. Other letters are left out so that names compare the same ignoring
// case everywhere.
func ValidAgentName(name string) bool {
	return name != "" && len(name) <= maxAgentName && name[0] != '-' && name[0] != '_' &&
		!strings.ContainsFunc(name, func(r rune) bool { return !nameRune(r) })
}

func nameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// Operator is the agent under whose name a person acts who gives none. It convenes every thread
// (PROTOCOL 3).
const Operator = "Operator"

// Convenes tells whether an agent convenes a thread: it sent the thread's first KICKOFF, or is the operator (PROTOCOL 3,
// convener). first is the sender of that KICKOFF, empty if there is none.
func Convenes(first, agent string) bool {
	return SameAgent(agent, Operator) || first != "" && SameAgent(agent, first)
}

// SameAgent tells whether two names are of one agent: names are unique ignoring case
// (PROTOCOL 11).
func SameAgent(a, b string) bool { return strings.EqualFold(a, b) }
