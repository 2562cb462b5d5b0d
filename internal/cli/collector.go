package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A server's garbage is short-lived and what it keeps is small: a heap of a few megabytes would be
// collected many times a second. It may grow to five times what is in use, and not so freely any
// more once that is large: what one letter costs stays within its bound (PROTOCOL 16).
const (
	serverGarbage = 400       // percent
	serverMemory  = 192 << 20 // bytes; twice what is in use, if that is more
)

// A thread file is read, folded and printed, and the process ends: most of its garbage need never be collected. Of a
// file up to some size the heap may grow to three times what is in use, and stays within what one file may cost
// (PROTOCOL 16); this takes 0.86 of the time of the usual two times.
const (
	lateGarbage = 200      // percent
	lateFile    = 32 << 20 // bytes
	lateMemory  = 192 << 20
)

// commandMemory is what a command's heap should not grow beyond while less than that is in use: what it reads stays within what one
// file may cost (PROTOCOL 16), with what the store and the program itself take.
const commandMemory = 128 << 20

// boundMemory sets the collector up for every process. Who set its variable knows better.
func boundMemory(streams Streams) {
	if streams.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(commandMemory)
	}
}

// collectLate sets the collector up for a command that reads a file of a size, 0 if that is not known.
func (a *app) collectLate(size int64) {
	if 0 < size && size <= lateFile && a.streams.Getenv("GOGC") == "" {
		debug.SetGCPercent(lateGarbage)
		if a.streams.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(lateMemory)
		}
	}
}

// relaxCollector sets the collector up for a process that serves. Who set its variables knows
// better.
func (a *app) relaxCollector(ctx context.Context) {
	if a.streams.Getenv("GOGC") == "" {
		debug.SetGCPercent(serverGarbage)
	}
	if a.streams.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serverMemory)
		go followUse(ctx)
	}
}

// followUse lets the memory of a server grow with what it has in use.
func followUse(ctx context.Context) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			metrics.Read(live)
			debug.SetMemoryLimit(max(serverMemory, 2*int64(live[0].Value.Uint64()))) //nolint:gosec // no heap has 2^62 bytes
		}
	}
}
