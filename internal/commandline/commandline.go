// Package commandline words actions for people at a terminal: the command to type. The terminal surfaces use it, and pages that only
// show, where nothing can be pressed.
package commandline

import (
	"strconv"
	"strings"

	"brenner/internal/protocol"
)

// Program is the name under which the program is called.
const Program = "brenner"

// Of is the command that does an action, such as "brenner critique answer 12 --body -".
func Of(a protocol.Action) string {
	words := append([]string{Program}, strings.Split(a.Do, ".")...)
	words = append(words, arguments(a.With)...)
	command := strings.Join(words, " ")
	if a.Then != nil {
		command += " && " + Of(*a.Then)
	}
	return command
}

// arguments words what an operation is done with: first what a command takes by its place.
func arguments(w protocol.Arguments) []string {
	var words []string
	if w.Message != 0 {
		words = append(words, strconv.FormatInt(w.Message, 10))
	}
	for _, text := range []string{w.Thread, w.Agent, w.File} {
		if text != "" {
			words = append(words, quoted(text))
		}
	}
	for _, flag := range []struct{ name, value string }{{"--from", w.From}, {"--crate", w.Crate}} {
		if flag.value != "" {
			words = append(words, flag.name, quoted(flag.value))
		}
	}
	for _, flag := range []struct {
		words []string
		set   bool
	}{{[]string{"--body", "-"}, w.Body}, {[]string{"--gate"}, w.Gate}, {[]string{"--fix"}, w.Fix}} {
		if flag.set {
			words = append(words, flag.words...)
		}
	}
	return words
}

// quoted protects a word from the shell.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@+=", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
