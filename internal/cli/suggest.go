package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

// maxSuggestions is how many commands are named for one that is mistyped.
const maxSuggestions = 3

// suggestCommands finds what may have been meant by a word that is no command: a command that does what the word says, one of this
// name elsewhere in the tree, those of a session first, else one that is spelled alike.
func suggestCommands(cmd *cobra.Command, typed string) []string {
	typed = strings.ToLower(typed)
	names := meant(strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())), typed)
	if names != nil && cmd.HasParent() {
		return names
	}
	for _, other := range commands(cmd.Root()) {
		if strings.EqualFold(other.Name(), typed) && other.HasParent() && other.IsAvailableCommand() {
			names = append(names, pathBelow(cmd.Root(), other))
		}
	}
	if len(names) == 0 {
		names = spelledAlike(cmd, typed)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return slices.Compact(names[:min(len(names), maxSuggestions)])
}

// spelledAlike finds the commands whose names are nearest: those of the group first, then all others.
func spelledAlike(cmd *cobra.Command, typed string) []string {
	for _, among := range [][]*cobra.Command{cmd.Commands(), commands(cmd.Root())} {
		var names []string
		least := (len(typed) + 1) / 3
		for _, other := range among {
			d := protocol.EditDistance(typed, other.Name())
			if !other.IsAvailableCommand() || d > least {
				continue
			}
			if d < least {
				names, least = nil, d
			}
			names = append(names, pathBelow(cmd, other))
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

// pathBelow names a command as it is typed behind another.
func pathBelow(cmd, other *cobra.Command) string {
	path := other.CommandPath()
	if below, ok := strings.CutPrefix(path, cmd.CommandPath()+" "); ok {
		return below
	}
	return strings.TrimPrefix(path, cmd.Root().Name()+" ")
}

// rank puts the commands of a session before those of other things that have the same name.
func rank(path string) int {
	if strings.HasPrefix(path, "session ") {
		return 0
	}
	return 1
}

// listing is the command that lists what a group holds.
func listing(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return cmd.Name() + " help all"
	}
	return cmd.CommandPath()
}

// sense says which commands do what words say that are none.
type sense struct{ group, words, commands string }

// senses of words that people type behind the name of a group, or behind the program's own.
var senses = []sense{
	{"", "new begin create question", "session start"},
	{"", "open web ui gui browser app dashboard server", "serve --lab"},
	{"", "ls sessions", "session list"},
	{"", "where state", "session status"},
	{"", "end finish close quit exit done", "session complete"},
	{"", "chat write answer paste submit", "mail send"},
	{"", "message messages letters unread", "mail inbox"},
	{"", "agent who participants", "mail agents, ps"},
	{"", "merge publish build", "compile"},
	{"", "hypothesis hypotheses ideas belief probabilities", "beliefs, artifact show"},
	{"", "test tests experiment experiments", "next, result list"},
	{"", "results outcome outcomes", "result list, result record"},
	{"", "measure measurement", "result record"},
	{"", "prediction predict", "predictions"},
	{"", "source sources cite paper papers quote import", "evidence add, evidence list"},
	{"", "report html pdf print", "export"},
	{"", "crate zip share", "export"},
	{"", "proof prove check audit-trail", "verify"},
	{"", "critiques attack attacks", "critique list"},
	{"", "delete remove rm del", "session archive"},
	{"", "login auth password sign-in", "token create"},
	{"", "update upgrade", "upgrade-check"},
	{"", "install setup check-setup", "doctor, connect"},
	{"", "settings options preferences", "config show"},
	{"", "explain code codes error errors", "help findings"},
	{"", "commands", "help all"},
	{"", "repair mend", "delta fix"},
	{"", "author blame who-wrote", "artifact blame"},
	{"session", "begin new create", "session start"},
	{"session", "stop end close finish done delete remove", "session complete, session archive"},
	{"session", "ls all", "session list"},
	{"session", "show open info state view", "session status"},
	{"evidence", "new create put upload", "evidence add"},
	{"evidence", "delete remove rm retract", "evidence mark"},
	{"evidence", "ls all", "evidence list"},
	{"evidence", "get read open cat", "evidence show"},
	{"mail", "write post new compose", "mail send"},
	{"mail", "list ls all", "mail inbox"},
	{"mail", "show get open view", "mail read"},
	{"mail", "answer", "mail reply"},
	{"mail", "agent who names", "mail agents"},
	{"result", "add new set enter", "result record"},
	{"result", "delete remove undo", "result withdraw"},
	{"result", "show ls", "result list"},
	{"artifact", "read print cat view open list", "artifact show, artifact history"},
	{"artifact", "log versions", "artifact history"},
	{"artifact", "author who", "artifact blame"},
	{"artifact", "compare changes", "artifact diff"},
	{"critique", "reply", "critique answer"},
	{"thread", "read open view", "thread show"},
}

// meant is what a word says that was typed behind a group; the program itself is the empty one.
func meant(group, word string) []string {
	for _, s := range senses {
		if s.group == group && slices.Contains(strings.Fields(s.words), word) {
			return strings.Split(s.commands, ", ")
		}
	}
	return nil
}
