package program

import (
	"path"
	"strings"
)

// interpreter is a program that reads one of its arguments as a script.
type interpreter struct {
	flags  string // letters of the flag before the script
	behind bool   // everything behind is part of the script: behind the flag, or without flags from the start
}

// interpreters by name, without the version and .exe.
var interpreters = func() map[string]interpreter {
	all := map[string]interpreter{
		"cmd": {flags: "ck", behind: true}, "powershell": {flags: "ce", behind: true}, "pwsh": {flags: "ce", behind: true},
		"ssh": {behind: true}, "eval": {behind: true}, "watch": {behind: true},
		"env": {flags: "S"}, "su": {flags: "c"}, "script": {flags: "c"}, "python": {flags: "c"}, "node": {flags: "ep"},
		"nodejs": {flags: "ep"}, "deno": {behind: true}, "perl": {flags: "eE"}, "ruby": {flags: "e"}, "php": {flags: "r"},
		"lua": {flags: "e"}, "osascript": {flags: "e"},
	}
	for _, shell := range []string{"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash", "busybox", "toybox"} {
		all[shell] = interpreter{flags: "c"}
	}
	return all
}()

// scripts returns the positions of the words that a shell, or another interpreter, would read as a
// script. Interpreters are looked for in every place: env, sudo or timeout may come before them.
func scripts(words []string) map[int]bool {
	found := map[int]bool{}
	for i, word := range words {
		if in, ok := interpreters[programName(word)]; ok {
			in.mark(words, i+1, found)
		}
	}
	return found
}

func programName(word string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	name = strings.TrimSuffix(name, ".exe")
	return strings.TrimRight(name, "0123456789.")
}

func (in interpreter) mark(words []string, from int, found map[int]bool) {
	flagged := in.flags == ""
	for i := from; i < len(words); i++ {
		switch word := words[i]; {
		case flagged && in.behind:
			found[i] = true
		case word == "--":
		case in.isFlag(word):
			flagged = true
			found[i] = true // -c{script}, --eval={script}
		case (word == "-o" || word == "-O") && flagged:
			i++ // takes a word of its own
		case strings.HasPrefix(word, "-") || strings.HasPrefix(word, "+"):
		case flagged:
			found[i] = true
			return
		}
	}
}

// isFlag tells whether a word says that a script follows: -c, -lc, /C, --eval, -Command.
func (in interpreter) isFlag(word string) bool {
	lower := strings.ToLower(word)
	switch {
	case strings.HasPrefix(lower, "--"):
		name, _, _ := strings.Cut(lower[2:], "=")
		return name == "command" || name == "eval" || name == "print" || name == "split-string" || name == "run"
	case in.behind && len(word) > 1 && (word[0] == '-' || word[0] == '/'):
		return strings.ContainsRune(in.flags, rune(lower[1]))
	case len(word) > 1 && word[0] == '-':
		letters, _, _ := strings.Cut(word[1:], "{") // what is filled in is no flag
		return strings.ContainsAny(letters, in.flags)
	}
	return false
}
