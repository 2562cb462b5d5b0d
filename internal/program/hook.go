package program

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Programs that know hooks are told to wait for mail when their agent ends its turn (brenner mail wait
// --hook): an idle agent costs no turn, and mail wakes it.

// claudeEvents are those at which Claude Code runs the command: before its first turn and at the end of each, where it waits, and
// where it asks its person or goes on, which it only tells.
var claudeEvents = []string{"SessionStart", "Stop", "PermissionRequest", "Notification", "PostToolUse", "UserPromptSubmit"}

// hookLimit is how long a hook may take; the command ends a little earlier by itself.
const hookLimit = time.Hour

// hook is a command that a program runs at an event.
type hook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int64  `json:"timeout"` // Claude Code: seconds; Gemini CLI: milliseconds
}

type hookGroup struct {
	Hooks []hook `json:"hooks"`
}

// hooks are commands by the name of their event.
type hooks map[string][]hookGroup

// waitHook runs the same command at each event: the program tells it which.
func (s Spec) waitHook(limit int64, events ...string) hooks {
	words := append(slices.Clone(s.Brenner), "mail", "wait", "--hook", "--as", s.Agent, "--thread", s.ThreadID, "--project", s.Project)
	for i, word := range words {
		words[i] = shellWord(word)
	}
	all := hooks{}
	for _, event := range events {
		all[event] = []hookGroup{{Hooks: []hook{{"command", strings.Join(words, " "), limit}}}}
	}
	return all
}

// shellWord quotes a word for a shell.
func shellWord(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

func (s Spec) settingsFile() string { return filepath.Join(s.Dir, "settings.json") }

func (plainKit) wakes() bool  { return false }
func (claudeKit) wakes() bool { return true }
func (geminiKit) wakes() bool { return true }

// Codex asks a person about each hook before it runs one.
func (codexKit) wakes() bool { return false }
