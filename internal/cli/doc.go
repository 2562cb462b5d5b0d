// Package cli is the command line: one file per command, each a function newX that builds
// the command and a run function that returns a report. Nothing here knows a rule of the
// protocol; commands decode their arguments, call the kernel and hand back what it says.
//
// A command never prints by itself. It returns a report, an error, or both, and emit.go
// turns them into text or into the one JSON object of --json, and into an exit code.
package cli
