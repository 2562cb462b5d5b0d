package science

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// modelFamilies are the words of models that give a family away (SCIENCE 8). A word counts with or without digits behind it.
var modelFamilies = map[string]string{
	"claude": "anthropic", "opus": "anthropic", "sonnet": "anthropic", "haiku": "anthropic",
	"gpt": "openai", "chatgpt": "openai", "codex": "openai", "o1": "openai", "o3": "openai", "o4": "openai",
	"gemini": "google", "gemma": "google", "llama": "meta",
	"mistral": "mistral", "mixtral": "mistral", "magistral": "mistral", "devstral": "mistral", "codestral": "mistral",
	"qwen": "alibaba", "qwq": "alibaba", "deepseek": "deepseek", "grok": "xai", "kimi": "moonshot", "glm": "zhipu",
	"phi": "microsoft", "command": "cohere", "nemotron": "nvidia", "nova": "amazon", "granite": "ibm",
}

// programFamilies are the programs that run models of one family only; the model is asked first.
var programFamilies = map[string]string{"claude-code": "anthropic", "codex-cli": "openai", "gemini-cli": "google"}

// Family is the family of an agent (SCIENCE 8, family). more is what the project file says: it is asked first, for the agent by
// its name, then word by word. Only the operator, under whose name the holders of an operator's token act, and whom the
// project file names so, is human: no registration makes one.
func (a Agent) Family(more map[string]string) string {
	named, words := folded(more), wordsOf(a.Model)
	if family, ok := named[strings.ToLower(a.Name)]; ok {
		return family
	}
	if protocol.SameAgent(a.Name, protocol.Operator) {
		return Human
	}
	program := strings.ToLower(strings.TrimSpace(a.Program))
	for _, word := range append(slices.Clone(words), program) {
		if family, ok := lookUp(named, word); ok && family != Human {
			return family
		}
	}
	for _, word := range words {
		if family, ok := lookUp(modelFamilies, word); ok {
			return family
		}
	}
	if family, ok := programFamilies[program]; ok {
		return family
	}
	return UnknownFamily
}

// folded has the keys of a table in lower case.
func folded(table map[string]string) map[string]string {
	lower := make(map[string]string, len(table))
	for _, key := range slices.Sorted(maps.Keys(table)) {
		lower[strings.ToLower(key)] = table[key]
	}
	return lower
}

// lookUp finds a word in a table, with or without digits behind it: gpt is listed, and so is gpt5.
func lookUp(table map[string]string, word string) (string, bool) {
	for word != "" {
		if family, ok := table[word]; ok {
			return family, true
		}
		last, size := utf8.DecodeLastRuneInString(word)
		if !unicode.IsDigit(last) {
			break
		}
		word = word[:len(word)-size]
	}
	return "", false
}

// wordsOf splits at everything that is neither letter nor digit.
func wordsOf(model string) []string {
	return strings.FieldsFunc(strings.ToLower(model), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// independent tells whether two families are different ones.
func independent(a, b string) bool { return a != b && a != UnknownFamily && b != UnknownFamily }
