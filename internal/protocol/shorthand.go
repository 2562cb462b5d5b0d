package protocol

import (
	"slices"
	"strings"

	"brenner/internal/pattern"
)

// Human is the shorthand of people. A DELTA[human] resolves conflicts (PROTOCOL 7).
const Human = "human"

// shorthands are the words that DELTA[…] is made for.
var shorthands = []string{"opus", "gpt", "gemini", "claude", Human}

// Shorthands returns the words that DELTA[…] is made for.
func Shorthands() []string { return slices.Clone(shorthands) }

var firstWord = pattern.Lazy(`[a-z]+`)

// Shorthand is the word an agent writes in DELTA[…], from its program and model (PROTOCOL 3).
// It is empty if neither gives one.
func Shorthand(program, model string) string {
	program, model = strings.ToLower(strings.TrimSpace(program)), strings.ToLower(model)
	switch program {
	case "claude-code":
		if strings.Contains(model, "opus") {
			return "opus"
		}
		return "claude"
	case "codex-cli":
		return "gpt"
	case "gemini-cli":
		return "gemini"
	case "operator", "human":
		return Human
	}
	if word := firstWord().FindString(model); word != Human { // a model of that name is no person
		return word
	}
	return ""
}

// unnamed is the word of an agent of which neither program nor model is known: PROTOCOL 3 gives it none. It is never
// human, the word that resolves conflicts.
const unnamed = "agent"

// DeltaSubject is the subject of a DELTA that is written in a sender's name, with the word that such a DELTA carries
// (PROTOCOL 3, an agent's shorthand): the operator's is human, an agent's its own.
func DeltaSubject(name, program, model, description string) string {
	word := Shorthand(program, model)
	switch {
	case SameAgent(name, Operator):
		word = Human
	case word == "":
		word = unnamed
	}
	return "DELTA[" + word + "]: " + description
}

// checkWord judges the text in DELTA[…]: the model's shorthand, not the protocol's role.
func checkWord(s Subject, rest string) []Finding {
	switch {
	case slices.Contains(shorthands, s.Shorthand):
		return nil
	case shorthandWord(s.Shorthand):
		return []Finding{NewFinding(UnknownShorthand, "%q is not a known shorthand: %s.", s.Shorthand, strings.Join(shorthands, ", ")).
			WithFix("%s", writeSubject(rest))}
	case isRole(s.Shorthand):
		return []Finding{NewFinding(InvalidSubjectPrefix, "DELTA[%s] names a role; the word in brackets is the model's shorthand.",
			s.Shorthand).
			WithFix("%s", writeSubject(rest))}
	default:
		return []Finding{NewFinding(InvalidSubjectPrefix, "DELTA[%s] does not hold a model's shorthand in small letters.",
			shorten(s.Shorthand)).
			WithFix("%s", writeSubject(rest))}
	}
}

func isRole(word string) bool { return Role(strings.ToLower(word)).Valid() }

// wordHints lead from what people write in the brackets to the shorthand they mean. The
// first hint found in the word counts, so opus is before claude.
var wordHints = []struct{ hint, shorthand string }{
	{"opus", "opus"}, {"claude", "claude"}, {"sonnet", "claude"}, {"haiku", "claude"}, {"anthropic", "claude"},
	{"gemini", "gemini"}, {"google", "gemini"}, {"codex", "gpt"}, {"gpt", "gpt"}, {"openai", "gpt"},
	{"human", "human"}, {"operator", "human"}, {"person", "human"}, {"user", "human"},
	{"hypothesis", "gpt"}, {"generator", "gpt"}, {"designer", "opus"}, {"test", "opus"},
	{"adversarial", "gemini"}, {"critic", "gemini"},
}

func guessShorthand(word string) string {
	word = strings.ToLower(word)
	for _, h := range wordHints {
		if strings.Contains(word, h.hint) {
			return h.shorthand
		}
	}
	return ""
}
