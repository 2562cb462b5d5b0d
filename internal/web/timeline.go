package web

import (
	"slices"

	"brenner/internal/figure"
	"brenner/internal/protocol"
)

// entryRun is some messages of the timeline that follow each other.
type entryRun struct {
	Kind        runKind
	Entries     []mailEntry
	First, Last int64 // the newest of them and the oldest
	By          []figure.Agent
}

// runKind says why messages stand together.
type runKind string

// The kinds of runs; without one each message stands for itself.
const (
	runOfNotes   runKind = "notes"   // short ones take one line together
	runOfBeliefs runKind = "beliefs" // what several agents believe, side by side
	runOfCalls   runKind = "calls"   // the calls of one round, which differ in whom they are to
)

// How many messages in a row are put together.
const (
	shortestRun  = 4
	shortestPair = 2
)

// freshEntries is how many of the newest messages are never put together as notes: who waits for news sees it.
const freshEntries = 6

// runsOf puts messages together that follow each other: calls of one round, statements of belief, and, after the first few, small notes.
// The one that was asked for is alone.
func runsOf(entries []mailEntry, asked int64, fresh int) []entryRun {
	runs := []entryRun{}
	for i := 0; i < len(entries); {
		kind, n := runAt(entries, i, asked, fresh)
		if kind == "" {
			if last := len(runs) - 1; last >= 0 && runs[last].Kind == "" {
				runs[last].Entries = entries[i-len(runs[last].Entries) : i+1]
			} else {
				runs = append(runs, entryRun{Entries: entries[i : i+1]})
			}
			i++
			continue
		}
		runs = append(runs, runOf(kind, entries[i:n]))
		i = n
	}
	return runs
}

// runAt finds the run that begins at an entry, and where it ends.
func runAt(entries []mailEntry, i int, asked int64, fresh int) (runKind, int) {
	end := func(belongs func(e *mailEntry) bool) int {
		n := i
		for n < len(entries) && entries[n].ID != asked && belongs(&entries[n]) {
			n++
		}
		return n
	}
	first := &entries[i]
	if n := end(func(e *mailEntry) bool { return e.sameCall(first) }); n-i >= shortestPair {
		return runOfCalls, n
	}
	if n := end((*mailEntry).believes); n-i >= shortestPair {
		return runOfBeliefs, n
	}
	if n := end((*mailEntry).small); i >= fresh && n-i >= shortestRun {
		return runOfNotes, n
	}
	return "", i + 1
}

func runOf(kind runKind, entries []mailEntry) entryRun {
	run := entryRun{Kind: kind, Entries: entries, First: entries[0].ID, Last: entries[len(entries)-1].ID}
	for _, e := range entries {
		if !slices.Contains(run.By, e.By) {
			run.By = append(run.By, e.By)
		}
	}
	return run
}

// maxNote is how much text a small message has.
const maxNote = 280

// plain tells whether a message changed nothing and asks nothing.
func (e *mailEntry) plain() bool {
	return len(e.Cards) == 0 && len(e.Results) == 0 && len(e.Blocks) == 0 && e.Errors == 0 && !e.AckRequired && e.Importance == "normal"
}

// small tells whether a message is a short note that changed nothing and asks nothing.
func (e *mailEntry) small() bool {
	return (e.Type == protocol.TypeInfo || e.Type == protocol.TypeAck) && e.Body.Size <= maxNote && e.Moved == nil && len(e.Beliefs) == 0 &&
		len(e.Replies) == 0 && e.plain()
}

// believes tells whether a message says what its sender believes, and hardly more.
func (e *mailEntry) believes() bool {
	return len(e.Beliefs) == 1 && e.Body.Size <= maxNote && e.plain()
}

// sameCall tells whether two messages call agents to the same round.
func (e *mailEntry) sameCall(other *mailEntry) bool {
	return e.Type == protocol.TypeKickoff && other.Type == e.Type && e.From == other.From && e.Subject == other.Subject
}
