package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// mcpFlags is a whole word that becomes the words a built-in program takes its MCP settings from.
const mcpFlags = "{mcp_flags}"

// placeholders of a template, with their values.
var placeholders = map[string]func(Spec) string{
	"agent":       func(s Spec) string { return s.Agent },
	"role":        func(s Spec) string { return string(s.Role) },
	"thread":      func(s Spec) string { return s.ThreadID },
	"project":     func(s Spec) string { return s.Project },
	"model":       func(s Spec) string { return s.Model },
	"prompt":      Spec.promptWord,
	"prompt_file": Spec.promptFile,
	"mcp_config":  Spec.mcpFile,
	"run_dir":     func(s Spec) string { return s.Dir },
	"brenner":     func(s Spec) string { return s.Brenner[0] },
}

// Placeholders returns the names that may be in braces, sorted.
func Placeholders() []string {
	all := append(slices.Sorted(maps.Keys(placeholders)), "mcp_flags")
	slices.Sort(all)
	return all
}

// placeholder is a name in braces; doubled braces are braces.
var placeholder = pattern.Lazy(`\{\{|\}\}|\{[A-Za-z_][A-Za-z0-9_]*\}`)

// maxPromptWord keeps a prompt within what systems take as one argument (128 KiB on Linux).
const maxPromptWord = 64 << 10

// promptWord is the prompt as an argument; one that is too long is pointed at.
func (s Spec) promptWord() string {
	if len(s.Prompt) <= maxPromptWord {
		return s.Prompt
	}
	return s.Pointer()
}

// Pointer is a line that sends the agent to its prompt.
func (s Spec) Pointer() string {
	return fmt.Sprintf("You are %s in the research session %s. Read the file %s now: it is your assignment.", s.Agent, s.ThreadID,
		s.promptFile())
}

// expand fills in a template. Each word stays one word whatever its values hold. Without a model,
// words that ask for one are left out, and with them a flag that is alone before them.
func expand(words []string, s Spec, flags []string) []string {
	var args []string
	for _, word := range words {
		switch {
		case word == mcpFlags:
			args = append(args, flags...)
			continue
		case s.Model == "" && mentions([]string{word}, "model"):
			if n := len(args); word == "{model}" && n > 1 && strings.HasPrefix(args[n-1], "-") && args[n-1] != "--" {
				args = args[:n-1]
			}
			continue
		}
		args = append(args, placeholder().ReplaceAllStringFunc(word, func(match string) string {
			switch match {
			case "{{":
				return "{"
			case "}}":
				return "}"
			}
			if value, ok := placeholders[match[1:len(match)-1]]; ok {
				return value(s)
			}
			return match // Check has refused it
		}))
	}
	return args
}

// names returns the placeholders in a word.
func names(word string) []string {
	var found []string
	for _, match := range placeholder().FindAllString(word, -1) {
		if match != "{{" && match != "}}" {
			found = append(found, match[1:len(match)-1])
		}
	}
	return found
}

func mentions(words []string, wanted ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(names(word), func(name string) bool { return slices.Contains(wanted, name) })
	})
}

// Check judges the templates of a project file. What would only show when an agent is started is
// said when the file is read.
func Check(own map[string]Template) []protocol.Finding {
	var findings []protocol.Finding
	for _, program := range slices.Sorted(maps.Keys(own)) {
		at := "agents." + program
		t := own[program]
		if len(t.Command)+len(t.Headless)+len(t.ACP) == 0 {
			findings = append(findings, protocol.NewFinding(protocol.InvalidConfig, "%s has no words", at).In(at).
				WithFix(`give %s as a list of words such as ["my-agent", "{prompt}"]`, at))
			continue
		}
		findings = append(findings, checkWords(at+".acp", program, t.ACP)...)
		if slices.Equal(t.Command, t.Headless) { // one list for both uses
			findings = append(findings, checkWords(at, program, t.Command)...)
		} else {
			findings = append(findings, checkWords(at+".command", program, t.Command)...)
			findings = append(findings, checkWords(at+".headless", program, t.Headless)...)
		}
	}
	return findings
}

func checkWords(at, program string, words []string) []protocol.Finding {
	var findings []protocol.Finding
	if len(words) == 0 {
		return nil
	}
	if strings.TrimSpace(words[0]) == "" {
		findings = append(findings, protocol.NewFinding(protocol.InvalidConfig, "%s begins with no program", at).In(at).
			WithFix("let the first word name the program"))
	}
	_, known := builtIn[program] // those of the protocol get their server from their client
	script := scripts(words)
	for i, word := range words {
		if script[i] && len(names(word)) > 0 {
			findings = append(findings, insideScript(fmt.Sprintf("%s[%d]", at, i), names(word)[0]))
		}
		findings = append(findings, checkWord(fmt.Sprintf("%s[%d]", at, i), word, i == 0, known)...)
	}
	return findings
}

// insideScript refuses what would let a value be read as commands (PROTOCOL 16).
func insideScript(at, name string) protocol.Finding {
	return protocol.NewFinding(protocol.InvalidConfig, "%s puts {%s} inside a script, where its text would run as commands", at, name).
		In(at).
		WithFix(`give it as a word of its own: ["sh", "-c", "exec my-agent \"$1\"", "sh", "{%s}"]`, name)
}

func checkWord(at, word string, first, known bool) []protocol.Finding {
	invalid := func(format string, args ...any) protocol.Finding {
		return protocol.NewFinding(protocol.InvalidConfig, format, args...).In(at)
	}
	var findings []protocol.Finding
	if strings.ContainsRune(word, 0) {
		findings = append(findings, invalid("%s holds a NUL character", at))
	}
	for _, name := range names(word) {
		_, ok := placeholders[name]
		switch {
		case name == "mcp_flags" && !known:
			findings = append(findings, invalid("%s: {mcp_flags} is known for %s only", at,
				strings.Join(slices.Sorted(maps.Keys(builtIn)), ", ")).
				WithFix("name the file {mcp_config} where the program wants its MCP servers"))
		case name == "mcp_flags" && word != mcpFlags:
			findings = append(findings, invalid("%s: {mcp_flags} becomes several words and must be a word of its own", at))
		case name == "mcp_flags":
		case !ok:
			findings = append(findings, invalid("%s has the unknown placeholder {%s}", at, name).
				WithFix("use {%s}, or {{ and }} for braces", strings.Join(Placeholders(), "}, {")))
		case first && name != "project" && name != "brenner":
			findings = append(findings, invalid("%s: the program to start cannot depend on {%s}", at, name))
		}
	}
	return findings
}
