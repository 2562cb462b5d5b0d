package mail

import (
	"fmt"
	"strings"
	"time"

	"brenner/internal/canon"
	"brenner/internal/protocol"
)

// AgentID names an agent inside one store.
type AgentID int64

// Agent is a correspondent of one project. Its name never changes and is unique in the
// project ignoring case (PROTOCOL 11).
type Agent struct {
	ID           AgentID
	Project      ProjectID
	Name         string
	Program      string
	Model        string
	Task         string
	InceptionAt  time.Time
	LastActiveAt time.Time  // the last time it sent or was registered
	RetiredAt    time.Time  // zero while it takes part
	TokenHash    canon.Hash // of its bearer token; zero if it has none
}

// Retired tells whether the agent no longer takes part.
func (a *Agent) Retired() bool { return !a.RetiredAt.IsZero() }

// ReceivesFrom tells whether an agent still takes part, so that mail of a sender to all goes to it as well.
func (a *Agent) ReceivesFrom(sender string) bool {
	return !a.Retired() && NameKey(a.Name) != NameKey(sender)
}

// DeltaSubject is the subject of a DELTA in the agent's name.
func (a *Agent) DeltaSubject(format string, args ...any) string {
	return protocol.DeltaSubject(a.Name, a.Program, a.Model, fmt.Sprintf(format, args...))
}

// NameKey is the form under which agent names are compared.
func NameKey(name string) string { return strings.ToLower(name) }
