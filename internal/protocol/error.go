package protocol

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Class is what kind of failure a code stands for. Each surface translates classes into
// its own terms: exit codes, HTTP statuses, MCP results.
type Class uint8

// The classes, one for each documented exit code.
const (
	ClassFailure Class = iota
	ClassUsage
	ClassInvalid
	ClassNotAllowed
	ClassNotFound
	ClassConflict
	ClassWaiting
	ClassTimedOut
	ClassInterrupted
)

// CodeInfo is a row of the table of codes.
type CodeInfo struct {
	Code     Code
	Severity Severity
	Class    Class
	Meaning  string
	Fix      string
}

var codeIndex = sync.OnceValue(func() map[Code]CodeInfo {
	table := Codes()
	index := make(map[Code]CodeInfo, len(table))
	for _, info := range table {
		index[info.Code] = info
	}
	return index
})

var codeTable = sync.OnceValue(func() []CodeInfo {
	var table []CodeInfo
	for _, chapter := range codeChapters {
		table = append(table, chapter.Codes...)
	}
	return table
})

// Codes returns the whole table, in order. The slice is shared: do not change it.
func Codes() []CodeInfo { return codeTable() }

// ChapterOf returns the codes of a code's chapter, which may be changed by the caller.
func ChapterOf(c Code) []CodeInfo {
	for _, chapter := range codeChapters {
		if slices.ContainsFunc(chapter.Codes, func(info CodeInfo) bool { return info.Code == c }) {
			return slices.Clone(chapter.Codes)
		}
	}
	return nil
}

// Info returns the code's row. A code outside the table is an internal error.
func (c Code) Info() CodeInfo {
	if info, ok := codeIndex()[c]; ok {
		return info
	}
	return CodeInfo{Code: c, Severity: SeverityError, Class: ClassFailure}
}

// Error is the one error type of the protocol: a stable code, a message for a person,
// and the findings behind it.
type Error struct {
	Code     Code
	Message  string
	Findings []Finding
	More     int     // findings that are counted only
	Action   *Action // what to do about it; nil if no operation does it
	Err      error   // the cause, if another package reported one
}

// Errorf makes an Error. Use %w to keep a cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, plainly(args)...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithFindings returns the error with findings.
func (e *Error) WithFindings(findings []Finding) *Error {
	e.Findings = findings
	return e
}

// Doing returns the error with what to do about it.
func (e *Error) Doing(a Action) *Error {
	e.Action = &a
	return e
}

// Beside returns the error with the number of findings that are not listed.
func (e *Error) Beside(more int) *Error {
	e.More = more
	return e
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, &Error{Code: c}) compare codes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Message == ""
}

// CodeOf returns the code of the first Error in the chain, or INTERNAL.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return Internal
}
