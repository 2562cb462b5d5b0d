package tui

import (
	"context"
	"time"

	"brenner/internal/session"
)

// data is what screens load from.
type data struct {
	*session.Sessions
	hands Hands // nil: nothing can be done from here
	now   time.Time
	width int // columns that rows may take
}

// screen is something to look at. It is a value: loading it again shows what is there now.
type screen interface {
	title() string
	// header names the columns; empty: they need no names.
	header() row
	load(ctx context.Context, d data) ([]row, error)
}

// tabbed is a screen with siblings, all about the same thing.
type tabbed interface {
	screen
	tab() string
	siblings() []tabbed
}

// paced is a screen that is loaded again so often without any event.
type paced interface {
	pace() time.Duration
}

// hinted is a screen that has keys of its own to tell of.
type hinted interface {
	hints() string
}

// home are the screens of the project, what everyone does first.
func home() []tabbed { return []tabbed{nowScreen{}, todoScreen{}, sessionsScreen{}} }

// tabs are the screens of a session, what needs a person first.
func tabs(thread string) []tabbed {
	return []tabbed{problemsScreen{thread}, threadScreen{thread}, artifactScreen{thread}, agentsScreen{thread}}
}
