package program

import (
	"slices"
	"strings"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// identifier is the form of a model's name in programs: gemini-2.5-pro, but not Gemini 2.5.
var identifier = pattern.Lazy(`^[a-z0-9][a-z0-9._:/@\[\]-]*$`)

func identified(name string) string {
	if identifier().MatchString(name) {
		return name
	}
	return ""
}

// claudeFamilies are names that the program takes for the latest model of a family.
var claudeFamilies = []string{"opus", "sonnet", "haiku", "fable"}

func (claudeKit) model(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == '-' })
	if len(words) > 1 && words[0] == "claude" && !identifier().MatchString(name) { // Claude Opus 4.5
		words = words[1:]
	}
	if len(words) > 0 && slices.Contains(claudeFamilies, words[0]) {
		return words[0]
	}
	return identified(name)
}

var gpt = pattern.Lazy(`(?i)^gpt-[a-z0-9.-]+$`)

func (codexKit) model(name string) string {
	if gpt().MatchString(name) { // GPT-5.2
		return strings.ToLower(name)
	}
	return identified(name)
}

func (geminiKit) model(name string) string { return identified(name) }

// Programs of the project file know their own names best. What came in before names were checked, or
// with an import, is no flag and no command.
func (plainKit) model(name string) string {
	if !protocol.ValidIdentifier(name) {
		return ""
	}
	return name
}

// Model is what a program is passed for the model that was asked for; empty: it is left to the program.
func (c *Catalog) Model(program, asked string) string {
	e, ok := c.entries[program]
	if !ok {
		return ""
	}
	return e.kit.model(asked)
}

// ModelText says what became of the model that was asked for; empty: it was passed on as it is.
func ModelText(asked, passed string) string {
	switch {
	case asked == "" || asked == passed:
		return ""
	case passed == "":
		return "asked for the model " + asked + "; the program chooses its own"
	}
	return "asked for the model " + asked + ", passed on as " + passed
}
