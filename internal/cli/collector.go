package cli

import "runtime/debug"

// A server's garbage is short-lived and what it keeps is small: a heap of a few megabytes would be
// collected many times a second. It may grow to five times what is in use, and not so freely any
// more once that is large.
const (
	serverGarbage = 400     // percent
	serverMemory  = 1 << 30 // bytes
)

// A thread file is read, folded and printed, and the process ends: most of its garbage need never be collected. Of a
// file up to some size the heap may grow to three times what is in use, and stays within what one file may cost
// (PROTOCOL 16); this takes 0.86 of the time of the usual two times.
const (
	lateGarbage = 200      // percent
	lateFile    = 32 << 20 // bytes
)

// collectLate sets the collector up for a command that reads a file of a size, 0 if that is not known.
func (a *app) collectLate(size int64) {
	if 0 < size && size <= lateFile && a.streams.Getenv("GOGC") == "" {
		debug.SetGCPercent(lateGarbage)
	}
}

// relaxCollector sets the collector up for a process that serves. Who set its variables knows
// better.
func (a *app) relaxCollector() {
	if a.streams.Getenv("GOGC") == "" {
		debug.SetGCPercent(serverGarbage)
	}
	if a.streams.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serverMemory)
	}
}
