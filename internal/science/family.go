package science

import (
	"slices"
	"strings"
	"unicode"

	"brenner/internal/protocol"
)

// Families with a meaning of their own.
const (
	Human         = "human"
	UnknownFamily = "unknown" // independent of no family, itself included
)

// Agent describes an agent, by rosters and the registry.
type Agent struct {
	Name    string
	Program string
	Model   string
}

// families are the words that give an agent's family away, in this order: its program, or one of
// the whole words of its model.
var families = []struct {
	family  string
	program string
	words   []string
}{
	{"anthropic", "claude-code", []string{"claude", "opus", "sonnet", "haiku"}},
	{"openai", "codex-cli", []string{"gpt", "codex", "o1", "o3", "o4"}},
	{"google", "gemini-cli", []string{"gemini"}},
}

// Family is the family of an agent's model. More words, from the project file, come before those
// that are known: word → family.
func (a Agent) Family(more map[string]string) string {
	program := strings.ToLower(strings.TrimSpace(a.Program))
	if protocol.SameAgent(a.Name, protocol.Operator) || protocol.Shorthand(program, "") == Human {
		return Human
	}
	words := wordsOf(a.Model)
	for _, word := range append([]string{program}, words...) {
		for given, family := range more {
			if word != "" && strings.EqualFold(given, word) {
				return family
			}
		}
	}
	for _, f := range families {
		if program == f.program || sharesWord(words, f.words) {
			return f.family
		}
	}
	if len(words) > 0 {
		return words[0]
	}
	return UnknownFamily
}

// wordsOf splits at everything that is neither letter nor digit.
func wordsOf(model string) []string {
	return strings.FieldsFunc(strings.ToLower(model), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func sharesWord(words, others []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(others, word) })
}

// independent tells whether two families are different ones.
func independent(a, b string) bool { return a != b && a != UnknownFamily && b != UnknownFamily }
