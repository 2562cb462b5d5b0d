package cli

import "github.com/spf13/cobra"

// groups are the headings of the help page, in order, and the commands below each.
var groups = []struct {
	title    string
	commands []string
}{
	{"Start here", []string{"demo", "init", "doctor", "tui", "serve", "help", "completion", "version"}},
	{"Session", []string{"session", "orchestrate", "compile", "persist", "next", "run", "cockpit", "roster", "config", "prompt"}},
	{"Science", []string{"evidence", "excerpt", "result", "predictions", "beliefs", "reasons", "whatif", "calibration", "signs", "review",
		"critique", "genealogy", "dispute"}},
	{"Artifact", []string{"artifact", "export", "lint", "diagnose"}},
	{"Agents", []string{"ask", "ps", "todo", "logs", "nudge", "restart", "pause", "resume", "why", "trust", "connect", "disconnect", "mcp",
		"token", "audit", "scripted-agent", "acp"}},
	{"Mail", []string{"mail", "thread", "acks"}},
	{"Checks", []string{"validate", "delta", "verify", "checkpoint", "upgrade-check"}},
	{"Store", []string{"store", "backup", "restore"}},
}

// everyDay are the commands that a newcomer needs, in the order of a session.
var everyDay = []string{"demo", "session", "run", "ask", "todo", "mail", "compile", "evidence", "next", "result", "beliefs", "serve",
	"verify", "export"}

// group puts every command of the root below its heading.
func group(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, name := range g.commands {
			for _, cmd := range root.Commands() {
				if cmd.Name() == name {
					cmd.GroupID = g.title
				}
			}
		}
	}
}
