package cli

import "runtime/debug"

// A server's garbage is short-lived and what it keeps is small: a heap of a few megabytes would be
// collected many times a second. It may grow to five times what is in use, and not so freely any
// more once that is large.
const (
	serverGarbage = 400     // percent
	serverMemory  = 1 << 30 // bytes
)

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
