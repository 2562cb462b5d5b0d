// Package config finds and reads a project's settings: brenner.config.ts, .json, .yaml or
// .brennerrc, and below them a person's own defaults. Whatever the format, the file becomes
// one JSON value, and that becomes a Config with findings for what is wrong in it.
package config

import (
	"time"

	"brenner/internal/protocol"
)

// Config is what a settings file says. Absent keys are zero; Files says where each came from.
type Config struct {
	Roster     Roster
	Validation string // enforce, warn or off; empty if not set
	Ack        Ack
	Persist    Persist
	Prompts    map[protocol.Role]File // they replace a role's prompt
	Transcript File                   // with numbered sections
	Agents     map[string]Agent       // by program
	Templates  Templates              // those of Agents that the project file names
	Families   map[string]string      // words of models and programs → family
	Crate      Crate
	Checkpoint Checkpoint
	Run        Run
	Notify     Notify
	Origins    map[string]string // dotted key → file that set it
}

// Roster is the roster key of a project file.
type Roster struct {
	Entries       []protocol.RosterEntry
	Presets       []protocol.Preset
	DefaultPreset string
	Mode          protocol.RosterMode
	Name          string
}

// Ack says how long messages may stay unacknowledged.
type Ack struct {
	Deadline  time.Duration // of every type; 0: the default
	Deadlines map[protocol.MessageType]time.Duration
	Reminders *int // nil: the default
}

// Persist says when versions are written without being asked for.
type Persist struct {
	Every int // every N versions; 0 is never
}

// Crate is what a research crate says of itself.
type Crate struct {
	License string // an address or words; empty: none is granted
	Authors []Author
}

// Author is a person who answers for the research.
type Author struct {
	Name  string
	ORCID string // 0000-0002-1825-0097; empty: none
}

// Checkpoint says when checkpoints are made by themselves, and whose a server witnesses.
type Checkpoint struct {
	On     []string // kinds of messages: start, result, version; empty: only when asked for
	Cosign []string // origins for which a server signs; only from a person's own settings
}

// Run says how unattended rounds are played.
type Run struct {
	Deadline     time.Duration // for each agent in each round; 0: the default
	StalledAfter time.Duration // a program that does not stir for so long is ended; 0: at its deadline only
	Consent      time.Duration // how long a program that asks for consent waits for a person; 0: it is refused at once
	Retries      *int          // after a refusal of its service; nil: the default
	Budget       string        // of a run, as a person writes it; empty: none
	AgentBudget  string        // of an agent in a run
	DayBudget    string        // of all runs of a day
	Prices       map[string]Price
}

// Price is what a program costs for a million tokens, in dollars.
type Price struct {
	Input  float64 // that is not cached
	Cached float64
	Output float64
}

// Notify says how a person who looks elsewhere is told that something waits.
type Notify struct {
	On      []string // events; empty: all
	Command []string // only from a person's own settings
	Webhook string   // on this machine
	Bell    bool
}

// Agent holds the command templates of a program.
type Agent struct {
	Command  []string // interactive
	Headless []string // one round, prompt on standard input
	ACP      []string // an agent of the Agent Client Protocol, for both
}

// The names of a project file, in the order in which they are listed.
var fileNames = []string{"brenner.config.ts", "brenner.config.json", "brenner.config.yaml", ".brennerrc"}
