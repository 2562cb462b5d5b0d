package program_test

import (
	"slices"
	"strings"
	"testing"

	"brenner/internal/program"
)

// TestRead: what programs show when they wait for a person, and what only looks like it.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, title, screen string
		want                program.Shown
	}{
		{"Claude Code asks before a command", "✳ Turning cells", `
● I will look at the folder.

╭──────────────────────────────────────────────╮
│ Bash command                                 │
│                                              │
│   touch /tmp/seen                            │
│                                              │
│ Do you want to proceed?                      │
│ ❯ 1. Yes                                     │
│   2. Yes, and don't ask again for touch      │
│   3. No, and tell Claude what to do (esc)    │
╰──────────────────────────────────────────────╯
 Esc to cancel`, program.Shown{Asks: true, Text: "Bash command · touch /tmp/seen · Do you want to proceed?", Choices: []program.Choice{
			{"1", "Yes"}, {"2", "Yes, and don't ask again for touch"}, {"3", "No, and tell Claude what to do (esc)"}}}},
		{"Codex asks before a command", "[ ! ] Action Required", `
  Would you like to run the following command?

  $ make test

› 1. Yes, proceed (y)
  2. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel`, program.Shown{Asks: true, Text: "Would you like to run the following command?",
			Choices: []program.Choice{{"1", "Yes, proceed (y)"}, {"2", "No, and tell Codex what to do differently (esc)"}}}},
		{"Gemini asks before a tool", "✋  Action Required (cells)", `
│ ?  Shell ls
│
│ Allow execution of: 'ls'?
│
│ ● 1. Allow once
│   2. Allow for this session
│   3. No, suggest changes (esc)
╰───────────────────
~/cells    no sandbox    gemini-2.5-pro (99% context left)`, program.Shown{Asks: true, Text: "?  Shell ls · Allow execution of: 'ls'?",
			Choices: []program.Choice{{"1", "Allow once"}, {"2", "Allow for this session"}, {"3", "No, suggest changes (esc)"}}}},
		{"a title alone", "✋  Action Required (cells)", "something", program.Shown{Asks: true, Text: "✋  Action Required (cells)"}},
		{"yes or no", "", "Overwrite the file? [y/N] ", program.Shown{Asks: true, Text: "Overwrite the file? [y/N]",
			Choices: []program.Choice{{"y", "yes"}, {"n", "no"}}}},
		{"signed out", "", "Hello\n  ⎿ Invalid API key · Please run /login\n\n❯ \n", program.Shown{SignedOut: true,
			Text: "⎿ Invalid API key · Please run /login"}},
		{"a list that an agent wrote", "✳ Turning cells", "● My plan:\n  1. Measure\n  2. Compare\n❯ \n", program.Shown{}},
		{"a question that was answered long ago", "", "❯ 1. Yes\n  2. No\n" + strings.Repeat("● Working on it\n", 12), program.Shown{}},
		{"nothing", "", "", program.Shown{}},
	} {
		got := program.Read(test.title, test.screen)
		if got.Asks != test.want.Asks || got.SignedOut != test.want.SignedOut || got.Text != test.want.Text ||
			!slices.Equal(got.Choices, test.want.Choices) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}
