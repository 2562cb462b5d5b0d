package tui

import "context"

type helpScreen struct{}

func (helpScreen) title() string { return "Keys" }
func (helpScreen) header() row   { return row{} }

var helpLines = [][2]string{
	{"j k ↓ ↑", "one row down, up"},
	{"Space PgDn PgUp", "a page down, up"},
	{"g G", "first row, last row"},
	{"Enter l →", "open the row"},
	{"Esc h ←", "back (or drop the filter)"},
	{"Tab 1 2 3 4", "the next screen of the project, or of a session"},
	{"o", "what the agent's program printed"},
	{"n", "ask the agent how it goes, by mail"},
	{"R", "start the agent's program again"},
	{"p", "pause the agent's program, or let it go on"},
	{"P", "pause the run of the session"},
	{"c", "let the run go on: after a pause, or at a gate"},
	{"x", "stop the run"},
	{"/", "show only rows with these words"},
	{"r", "look again now; changes are shown by themselves"},
	{"?", "these keys"},
	{"q Ctrl-C", "quit"},
}

func (helpScreen) load(context.Context, data) ([]row, error) {
	rows := []row{{}}
	for _, line := range helpLines {
		rows = append(rows, row{cells: []cell{{width: 2}, {text: line[0], ink: strong, width: 18}, {text: line[1]}}})
	}
	return rows, nil
}
