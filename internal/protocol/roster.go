package protocol

import "slices"

// RosterMode says how roles reach agents.
type RosterMode string

// The modes (PROTOCOL 12).
const (
	ModeRoleSeparated RosterMode = "role_separated" // a prompt per role; the default
	ModeUnified       RosterMode = "unified"        // one prompt for all
	ModeHeuristic     RosterMode = "heuristic"      // roles guessed from names; deprecated
)

// RosterModes returns all modes.
func RosterModes() []RosterMode {
	return []RosterMode{ModeRoleSeparated, ModeUnified, ModeHeuristic}
}

// Valid tells whether the mode is a known one.
func (m RosterMode) Valid() bool { return slices.Contains(RosterModes(), m) }

// RosterEntry gives one agent its role. In a preset AgentName is empty.
type RosterEntry struct {
	AgentName string `json:"agentName"`
	Role      Role   `json:"role"`
	Program   string `json:"program,omitempty"`
	Model     string `json:"model,omitempty"`
	Notes     string `json:"notes,omitempty"`
}

// Roster gives the agents of a session their roles. An empty Mode is the default that no
// source has set yet: see WithDefaults.
type Roster struct {
	Entries   []RosterEntry `json:"entries"`
	Mode      RosterMode    `json:"mode"`
	Name      string        `json:"name,omitempty"`
	CreatedAt string        `json:"createdAt,omitempty"` // RFC 3339, as it was written
}

// WithDefaults returns the roster with its mode filled in and entries that are not nil.
func (r Roster) WithDefaults() Roster {
	if r.Mode == "" {
		r.Mode = ModeRoleSeparated
	}
	if r.Entries == nil {
		r.Entries = []RosterEntry{}
	}
	return r
}

// Entry finds an agent's entry, ignoring case.
func (r Roster) Entry(agent string) (RosterEntry, bool) {
	if i := r.Rank(agent); i >= 0 {
		return r.Entries[i], true
	}
	return RosterEntry{}, false
}

// Rank is the agent's place in the roster from 0, or -1. The earlier entry wins a conflict
// at the same instant (PROTOCOL 7).
func (r Roster) Rank(agent string) int {
	return slices.IndexFunc(r.Entries, func(e RosterEntry) bool { return SameAgent(e.AgentName, agent) })
}

// RoleOf is the agent's role, ignoring case. Heuristic mode guesses where there is no entry.
func (r Roster) RoleOf(agent string) (Role, bool) {
	if e, ok := r.Entry(agent); ok {
		return e.Role, true
	}
	if r.Mode == ModeHeuristic {
		return guessRole(agent)
	}
	return "", false
}

// Agents returns the names in the roster, in order: without other recipients all of them
// receive the kickoff (PROTOCOL 12).
func (r Roster) Agents() []string {
	names := make([]string, len(r.Entries))
	for i, e := range r.Entries {
		names[i] = e.AgentName
	}
	return names
}
