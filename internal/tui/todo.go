package tui

import (
	"context"
	"time"

	"brenner/internal/commandline"
	"brenner/internal/session"
	"brenner/internal/termtext"
)

// todoScreen lists everything that waits for the person, in the one order that every surface has.
type todoScreen struct{}

func (todoScreen) title() string       { return "What waits for you" }
func (todoScreen) tab() string         { return "To do" }
func (todoScreen) siblings() []tabbed  { return home() }
func (todoScreen) header() row         { return row{} }
func (todoScreen) pace() time.Duration { return 2 * time.Second }
func (todoScreen) hints() string {
	return "Enter open  c go on  x stop  n nudge  R restart  ? help  q quit"
}

func (todoScreen) load(ctx context.Context, d data) ([]row, error) {
	todos, err := d.ToDos(ctx, nil)
	if err != nil {
		return nil, err
	}
	if len(todos) == 0 {
		return []row{say(good, " Nothing waits for you.")}, nil
	}
	return todoRows(todos), nil
}

// todoRows has two lines for each: what waits, then where, and the key or command that deals with it.
func todoRows(todos []session.ToDo) []row {
	rows := make([]row, 0, 2*len(todos))
	for i := range todos {
		t := &todos[i]
		of := target{thread: t.ThreadID, agent: t.Agent}
		open := screen(tabs(t.ThreadID)[0])
		switch {
		case t.MessageID != 0:
			open = messageScreen{t.MessageID}
		case t.Agent != "":
			open = whyScreen{t.Agent}
		}
		rows = append(rows,
			row{key: t.Key(), open: open, of: of, cells: []cell{
				{width: 1}, {text: string(t.Kind), ink: todoInk(t.Kind), width: 9}, {text: termtext.Visible(t.What)},
			}},
			row{key: t.Key() + "+", open: open, of: of, cells: []cell{
				{width: 10}, {text: todoKey(t.Kind), ink: strong, width: 4}, {text: termtext.Visible(commandline.Of(t.Command)), ink: dim},
			}},
		)
	}
	return rows
}

// todoKey is the key that deals with it here; empty: the command does.
func todoKey(k session.ToDoKind) string {
	switch k {
	case session.ToDoGate:
		return "c x"
	case session.ToDoRestart, session.ToDoSignIn:
		return "R"
	case session.ToDoNudge, session.ToDoConnect:
		return "n"
	case session.ToDoRun:
		return "c"
	}
	return ""
}

func todoInk(k session.ToDoKind) ink {
	switch k {
	case session.ToDoRepair, session.ToDoRun, session.ToDoNudge, session.ToDoCompile, session.ToDoMend:
		return warn
	}
	return bad
}
