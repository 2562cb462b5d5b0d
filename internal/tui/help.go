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
	{"Tab 1 2 3 4", "problems, thread, artifact, agents of a session"},
	{"/", "show only rows with these words"},
	{"r", "look again now; changes are shown by themselves"},
	{"?", "these keys"},
	{"q Ctrl-C", "quit"},
}

func (helpScreen) load(context.Context, desk) ([]row, error) {
	rows := []row{{}}
	for _, line := range helpLines {
		rows = append(rows, row{cells: []cell{{width: 2}, {text: line[0], ink: strong, width: 18}, {text: line[1]}}})
	}
	return rows, nil
}
