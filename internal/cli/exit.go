package cli

import (
	"errors"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// exitCode is a row of the table of exit codes: what a class of failure becomes for the
// shell. `help exit-codes` prints it.
type exitCode struct {
	Code    int    `json:"code"`
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

var exitOK = exitCode{0, "ok", "It worked. Warnings do not change this."}

// exitCodes maps every class of failure to its exit code.
var exitCodes = map[protocol.Class]exitCode{
	protocol.ClassFailure:     {1, "failure", "Something failed that is neither your input nor your command line."},
	protocol.ClassUsage:       {2, "usage", "The command line cannot be understood."},
	protocol.ClassInvalid:     {3, "invalid", "The input breaks a rule: there is an error finding."},
	protocol.ClassNotAllowed:  {4, "not allowed", "This identity, or this mode, may not do that."},
	protocol.ClassNotFound:    {5, "not found", "A thread, version, agent, message or file does not exist."},
	protocol.ClassConflict:    {6, "conflict", "What is there already is in the way."},
	protocol.ClassWaiting:     {7, "waiting", "A person has to decide first."},
	protocol.ClassTimedOut:    {8, "timed out", "It took longer than allowed."},
	protocol.ClassInterrupted: {130, "interrupted", "It was interrupted; nothing is half-done."},
}

// exitTable returns all rows in order of their codes.
func exitTable() []exitCode {
	rows := []exitCode{exitOK}
	for class := protocol.ClassFailure; class <= protocol.ClassInterrupted; class++ {
		rows = append(rows, exitCodes[class])
	}
	return rows
}

// exitOf returns the exit code of what a command returned.
func exitOf(err error) int {
	if err == nil {
		return exitOK.Code
	}
	return exitCodes[protocol.CodeOf(err).Info().Class].Code
}

// coded gives errors of the standard library the code a reader can act on; errors that
// have one keep it.
func coded(err error) *protocol.Error {
	if known, ok := errors.AsType[*protocol.Error](err); ok {
		return known
	}
	switch code := mail.CodeOf(err); code {
	case protocol.Interrupted:
		return protocol.Errorf(code, "interrupted")
	case protocol.TimedOut:
		return protocol.Errorf(code, "timed out")
	default:
		return protocol.Errorf(code, "%w", err)
	}
}
