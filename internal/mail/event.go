package mail

import "time"

// Cursor is a place in a store's sequence of events. It is durable: a subscriber that keeps
// its cursor misses nothing and sees nothing twice, over restarts and processes.
type Cursor int64

// EventKind says what happened.
type EventKind string

// The kinds. A COMPILED message makes two events: EventMessage, then EventCompiled.
const (
	EventMessage  EventKind = "message"
	EventDelivery EventKind = "delivery"
	EventCompiled EventKind = "compiled"
	EventArchived EventKind = "archived" // a thread was archived; Message is its last
	EventRestored EventKind = "restored" // an archived thread was put back
)

// Event is one change of a project that a live view wants to hear of.
type Event struct {
	Seq     Cursor
	Project ProjectID
	Kind    EventKind
	Message int64
	Thread  string // of the message; empty if it has none
	Agent   string // the sender; of a delivery event the recipient
	State   State  // of a delivery event
	Version int    // of a compiled event
	At      time.Time
}

// EventQuery selects events of a project, oldest first.
type EventQuery struct {
	Project ProjectID
	After   Cursor
	Limit   int // 0: all
}
