// Package commandline words actions for people at a terminal: the command to type. The terminal surfaces use it, and pages that only
// show, where nothing can be pressed.
package commandline

import (
	"cmp"
	"strconv"
	"strings"

	"brenner/internal/protocol"
)

// Program is the name under which the program is called.
const Program = "brenner"

// Of is the command that does an action, such as "brenner critique answer 12 --body -". What was asked for once more is the flag alone.
func Of(a protocol.Action) string {
	var words []string
	if a.Do != "" {
		words = append(append([]string{Program}, strings.Fields(a.Command())...), arguments(a)...)
	}
	if a.Give != "" {
		words = append(words, given(a))
	}
	command := strings.Join(words, " ")
	if a.Then != nil {
		command += " && " + Of(*a.Then)
	}
	return command
}

// Fix is advice with the command that follows it.
func Fix(fix string, a *protocol.Action) string {
	switch {
	case a == nil:
		return fix
	case a.Do == "":
		return strings.TrimSuffix(fix, ".") + " (" + Of(*a) + ")"
	}
	return strings.TrimSuffix(fix, ".") + ": " + Of(*a)
}

// placeholders stand for the values of fields, by operation and field or by field. An empty one is a flag without a value.
var placeholders = map[string]string{
	"lab": "", "operator": "", "print": "", "repair": "", "force": "", "type-prompt": "", "exploratory": "", "status": "", "help": "",
	"strict-identity": "", "roster": "JSON|@FILE", "session.complete.force": "REASON", "round": "N", "to": "AGENT", "text": "FILE",
	"crate": "FILE.zip", "key": "Escape", "run.edit.budget": "2M",
	"allowed-signers": "FILE", "store": "sqlite:PATH", "by": "EV-nnn", "program": "AGENT=PROGRAM",
	"trust-proxy": "ADDRESS", "trust-people": "FILE",
	"allow-host": "HOST", "unforeseen": "TEXT", "value": "V",
}

// placed are fields that a command takes by their place.
var placed = map[string]string{
	"mail.register.name": "NAME", "evidence.add.file": "FILE", "evidence.import.file": "FILE", "token.create.agent": "AGENT",
	"run.threads":           "T1 T2 …",
	"mail.register.program": "NAME --program PROGRAM", ".excerpt": "--excerpt-file FILE",
	"session.start.question": "--question '…' --to AGENT",
}

// given words the field that is to be given.
func given(a protocol.Action) string {
	if words, ok := placed[a.Do+"."+a.Give]; ok {
		return words
	}
	value, ok := placeholders[a.Do+"."+a.Give]
	if !ok {
		value, ok = placeholders[a.Give]
	}
	if !ok {
		value = strings.ToUpper(a.Give)
	}
	return strings.TrimSpace("--" + a.Give + " " + value)
}

// threaded are the operations that need a thread: without one it has to be filled in.
var threaded = map[string]bool{
	"resume": true, "run": true, "logs": true, "restart": true, "cockpit.attach": true, "cockpit.start": true, "session.unarchive": true,
	"artifact.history": true, "compile": true, "thread.export": true, "result.record": true,
}

// arguments words what an operation is done with: first what a command takes by its place.
func arguments(a protocol.Action) []string {
	var words []string
	w := a.With
	if w.Message != 0 {
		words = append(words, strconv.FormatInt(w.Message, 10))
	}
	if w.Thread == "" && threaded[a.Do] && a.Give != "status" && a.Give != "threads" {
		w.Thread = "T"
	}
	for _, text := range []string{w.Thread, w.Agent, cmp.Or(w.File, w.Name)} {
		if text != "" {
			words = append(words, quoted(text))
		}
	}
	for _, flag := range []struct{ name, value string }{{"--from", w.From}, {"--to", w.To}, {"--crate", w.Crate}, {"--key", w.Key}} {
		if flag.value != "" {
			words = append(words, flag.name, quoted(flag.value))
		}
	}
	for _, flag := range []struct {
		words []string
		set   bool
	}{{[]string{"--body", "-"}, w.Body}, {[]string{"--gate"}, w.Gate}, {[]string{"--fix"}, w.Fix}, {[]string{"--stop"}, w.Stop}} {
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
