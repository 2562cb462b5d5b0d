package mail

import (
	"context"
	"errors"
	"strings"

	"brenner/internal/protocol"
)

// The failures that every engine words alike.

// UnknownAgent says that no agent has a name.
func UnknownAgent(name string) error {
	return protocol.Errorf(protocol.UnknownAgent, "no agent %q is registered", name)
}

// UnknownName is the name of which UnknownAgent says that no agent has it.
func UnknownName(err *protocol.Error) (string, bool) {
	rest, ok := strings.CutPrefix(err.Message, "no agent ")
	if err.Code != protocol.UnknownAgent || !ok {
		return "", false
	}
	name, _, ok := strings.Cut(strings.TrimPrefix(rest, `"`), `"`)
	return name, ok
}

// AgentRetired says that an agent no longer takes part.
func AgentRetired(name string) error {
	return protocol.Errorf(protocol.AgentRetired, "agent %q is retired", name)
}

// NameTaken says that another agent has a name.
func NameTaken(name string) error {
	return protocol.Errorf(protocol.Conflict, "an agent named %q is registered already", name)
}

// SlugTaken says that a project cannot be told from another by its slug.
func SlugTaken(humanKey string, have Project) error {
	return protocol.Errorf(protocol.Conflict, "project %q has the same slug as %q: %s", humanKey, have.HumanKey, have.Slug)
}

// NotReceived says that an agent did not receive a message.
func NotReceived(agent string, message int64) error {
	return protocol.Errorf(protocol.NotFound, "agent %s received no message %d", agent, message)
}

// NoThread says that a thread has no messages.
func NoThread(id string) error {
	return protocol.Errorf(protocol.NotFound, "there is no thread %s", id)
}

// NoProject says that a project is not there.
func NoProject(project ProjectID) error {
	return protocol.Errorf(protocol.NotFound, "there is no project %d", project)
}

// NotEmpty says that a store has to be empty to be loaded.
func NotEmpty() error {
	return protocol.Errorf(protocol.Conflict, "the store has projects already; an archive is loaded into an empty one")
}

// Closed says that a store was closed.
func Closed() error {
	return protocol.Errorf(protocol.StoreUnavailable, "the store is closed")
}

// CodeOf is protocol.CodeOf for what may also be the end of a context: the caller is gone, or the
// time is over. Neither is a failure of the program.
func CodeOf(err error) protocol.Code {
	switch code := protocol.CodeOf(err); {
	case code != protocol.Internal:
		return code
	case errors.Is(err, context.Canceled):
		return protocol.Interrupted
	case errors.Is(err, context.DeadlineExceeded):
		return protocol.TimedOut
	default:
		return code
	}
}
