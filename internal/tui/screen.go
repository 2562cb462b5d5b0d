package tui

import (
	"context"
	"time"

	"brenner/session"
)

// desk is what screens read from.
type desk struct {
	*session.Sessions
	now   time.Time
	width int // columns that rows may take
}

// screen is something to look at. It is a value: loading it again shows what is there now.
type screen interface {
	title() string
	// header names the columns; empty: they need no names.
	header() row
	load(ctx context.Context, d desk) ([]row, error)
}

// tabbed is a screen with siblings, all about the same session.
type tabbed interface {
	screen
	thread() string
}

// tabs are the screens of a session, what needs a person first.
func tabs(thread string) []tabbed {
	return []tabbed{problemsScreen{thread}, threadScreen{thread}, artifactScreen{thread}, agentsScreen{thread}}
}
