package mail

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"brenner/internal/protocol"
)

// Source is the way in which a program acts for an agent.
type Source string

// The sources. A program behind SourceStdio, SourceRun and SourceCockpit lives and dies with its
// agent; the server behind SourceHTTP serves many, and a command is over at once.
const (
	SourceHTTP    Source = "mcp-http"  // a server; host and process are the server's
	SourceStdio   Source = "mcp-stdio" // a process of ours that the agent's program started
	SourceRun     Source = "run"       // the agent's program, started for a round
	SourceCockpit Source = "cockpit"   // the agent's program in a pane
	SourceCLI     Source = "cli"       // commands; without a process
	SourceHook    Source = "hook"      // what a program tells of itself; without a process
)

// What a program tells of itself is noted in place of a call: one of these words, and what it says.
const (
	CallAsks   = "asks"    // it waits for its person's answer
	CallSignIn = "sign-in" // its service does not know it
	CallRetry  = "retry"   // its service refuses it, and it tries again
)

// Telling is the call that notes what a program tells of itself.
func Telling(word, text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")), " ")
	text = text[:min(len(text), maxMark-len(word)-len(": "))]
	return word + ": " + strings.ToValidUTF8(text, "")
}

// Told is the word and the text of a presence whose program tells something of itself; empty: it does not.
func (p *Presence) Told() (word, text string) {
	word, text, ok := strings.Cut(p.Call, ": ")
	if !ok || p.Source != SourceHook && p.Source != SourceRun {
		return "", ""
	}
	return word, text
}

// Own tells whether the process of a presence lives and dies with its agent.
func (s Source) Own() bool { return s == SourceStdio || s == SourceRun || s == SourceCockpit }

// Presence is what a store remembers of one program that acts for an agent, so that every process
// comes to the same verdict about it. It is no part of the log: never exported, never backed up,
// never proven. There is one of each agent, source, host and process.
type Presence struct {
	Project        ProjectID
	Agent          string
	Source         Source
	Host           string // where the process runs; empty: not known
	PID            int    // 0: no process
	ProcessStarted time.Time
	Thread         string    // what it was started for, or what its last call was about; empty: nothing in particular
	Due            time.Time // when it will be ended by the process that started it; zero: it will not
	Pane           string    // of a terminal multiplexer; empty: none
	LastCall       time.Time // when the last call began; zero: none
	Call           string    // which one: the name of a tool or a command
	CallEnded      time.Time // zero while it is under way
	WaitingUntil   time.Time // how long the last call may wait for mail; zero if it does not wait
	LeftAt         time.Time // when its client went away in the middle of the last call; zero: it did not
	EndedAt        time.Time // when the process ended; zero: it was not seen to
	ExitCode       *int      // nil: not known
}

// Seen is the last time at which the presence shows any sign of the agent.
func (p *Presence) Seen() time.Time {
	seen := p.ProcessStarted
	for _, t := range []time.Time{p.LastCall, p.CallEnded, p.EndedAt} {
		if t.After(seen) {
			seen = t
		}
	}
	return seen
}

// normal is the presence as stores keep it.
func (p Presence) normal() Presence {
	for _, t := range []*time.Time{&p.ProcessStarted, &p.LastCall, &p.CallEnded, &p.WaitingUntil, &p.EndedAt, &p.Due, &p.LeftAt} {
		if !t.IsZero() {
			*t = Truncate(*t)
		}
	}
	return p
}

// KeptPresences is how many presences of an agent a store keeps: those that were seen last.
const KeptPresences = 32

// Attendance is the role that remembers presences. What it writes may be lost in a crash of the
// machine.
type Attendance interface {
	// PutPresences keeps presences, each in the place of an earlier one of its agent, source,
	// host and process unless that was seen later. An agent that is not there is passed over.
	PutPresences(ctx context.Context, project ProjectID, list ...Presence) error

	// Presences returns the presences of the named agents, or of all if no name is given:
	// by agent, the one seen last first.
	Presences(ctx context.Context, project ProjectID, agents ...string) ([]Presence, error)
}

// maxMark bounds what a presence has of text.
const maxMark = 256

// NotePresence remembers what programs do for agents. It is cheap, but a write: callers do it off
// the path of an answer, and not for every call. INVALID_INPUT: a name is missing or too long.
func (s *Service) NotePresence(ctx context.Context, list ...Presence) error {
	kept := make([]Presence, len(list))
	for i, p := range list {
		for _, text := range []string{p.Agent, string(p.Source), p.Host, p.Pane, p.Call, p.Thread} {
			if len(text) > maxMark || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				return protocol.Errorf(protocol.InvalidInput, "a presence has texts of at most %d bytes", maxMark)
			}
		}
		if p.Agent == "" || p.Source == "" || p.PID < 0 {
			return protocol.Errorf(protocol.InvalidInput, "a presence has an agent and a source")
		}
		kept[i] = p.normal()
	}
	return s.store.PutPresences(ctx, s.project.ID, kept...)
}

// Presences returns what is remembered of the programs of agents, of all if none is named.
func (s *Service) Presences(ctx context.Context, agents ...string) ([]Presence, error) {
	return s.store.Presences(ctx, s.project.ID, agents...)
}
