package protocol

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// NoRosterFinding is the warning for a session without any roster: it runs unified
// (PROTOCOL 12).
func NoRosterFinding() Finding {
	return NewFinding(NoRoster, "No roster was given: all agents get the same prompt. From v0.2 role_separated sessions without a roster "+
		"are an error.")
}

// Check judges the roster by rules 1 to 5 (PROTOCOL 12). Coverage of recipients is checked
// only if recipients is not nil.
func (r Roster) Check(recipients []string) []Finding {
	findings := r.CheckMode()
	if r.CreatedAt != "" && !isoTime(r.CreatedAt) {
		findings = append(findings, NewFinding(InvalidField, "createdAt is not a time: %q", shorten(r.CreatedAt)).In("createdAt").
			WithFix("Write it like 2026-01-10T09:00:00Z."))
	}
	if r.Mode == ModeHeuristic {
		findings = append(findings, NewFinding(HeuristicDeprecated,
			"Roles are guessed from the agents' names. This is deprecated and becomes an error in v1.0.").In("mode"))
	}
	if len(r.Entries) == 0 && r.Mode != ModeHeuristic {
		findings = append(findings, NewFinding(EmptyRoster, "The roster has no entries.").In("entries"))
	}
	findings = append(findings, r.checkEntries()...)
	return append(findings, r.checkCoverage(recipients)...)
}

// CheckMode judges the mode alone. None is fine.
func (r Roster) CheckMode() []Finding {
	if r.Mode == "" || r.Mode.Valid() {
		return nil
	}
	return []Finding{NewFinding(InvalidMode, "Invalid roster mode: %s", r.Mode).In("mode")}
}

// isoTime tells whether text is a date or a time of ISO 8601, as programs write it.
func isoTime(text string) bool {
	return slices.ContainsFunc([]string{
		time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly,
	}, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
}

func (r Roster) checkEntries() []Finding {
	var findings []Finding
	seen := make(map[string]bool, len(r.Entries))
	for i, e := range r.Entries {
		path := fmt.Sprintf("entries[%d]", i)
		findings = append(findings, checkName(e.AgentName, path, i)...)
		key := strings.ToLower(e.AgentName)
		if seen[key] && strings.TrimSpace(key) != "" { // rule 1
			findings = append(findings, NewFinding(DuplicateAgent, "Duplicate agent in roster: %s", e.AgentName).
				In(path+".agentName").WithFix("Keep one entry for %s and remove this one.", e.AgentName))
		}
		seen[key] = true
		if !e.Role.Valid() { // rule 5; rule 2: the same role twice is fine
			findings = append(findings, invalidRole(e, path))
		}
		findings = append(findings, CheckIdentifier(e.Program, path+".program")...)
		findings = append(findings, CheckIdentifier(e.Model, path+".model")...)
	}
	return findings
}

func checkName(name, path string, i int) []Finding {
	switch {
	case strings.TrimSpace(name) == "":
		return []Finding{NewFinding(MissingAgentName, "Entry %d of the roster has no agentName.", i+1).In(path + ".agentName")}
	case !ValidAgentName(name):
		return []Finding{NewFinding(InvalidRoster, "%q cannot be an agent's name.", shorten(name)).
			In(path + ".agentName").WithFix("Use letters, digits, _ and -, at most 64.")}
	}
	return nil
}

func invalidRole(e RosterEntry, path string) Finding {
	f := NewFinding(InvalidRole, "Invalid role for %s: %s", e.AgentName, e.Role).In(path + ".role")
	if e.Role == "" {
		f.Message = fmt.Sprintf("Invalid role for %s: none given", e.AgentName)
	}
	if role := NearestRole(string(e.Role)); role != "" {
		return f.WithFix("Write %q.", role)
	}
	return f
}

// NearestRole finds the role that was meant by another spelling of it. Empty: none.
func NearestRole(text string) Role {
	text = strings.ToLower(text)
	plain := strings.NewReplacer("-", "", "_", "", " ", "").Replace(text)
	for _, role := range Roles() {
		name := strings.ReplaceAll(string(role), "_", "")
		if len(plain) <= len(name)+2 && EditDistance(plain, name) <= 2 {
			return role
		}
		if first, second, _ := strings.Cut(string(role), "_"); plain == first || plain == second {
			return role
		}
	}
	return ""
}

// checkCoverage holds rule 3: every recipient has an entry, or in heuristic mode a name
// from which a role can be guessed. Rule 4: further entries are fine.
func (r Roster) checkCoverage(recipients []string) []Finding {
	if len(recipients) == 0 {
		return nil
	}
	covered := make(map[string]bool, len(r.Entries)+len(recipients))
	for _, e := range r.Entries {
		covered[strings.ToLower(e.AgentName)] = true
	}
	var findings []Finding
	for _, name := range recipients {
		key := strings.ToLower(name)
		_, guessed := guessRole(name)
		if covered[key] || guessed && r.Mode == ModeHeuristic {
			continue
		}
		covered[key] = true // say it once
		findings = append(findings, NewFinding(MissingRosterEntry, "Missing roster entry for recipient: %s", name).
			In("entries").WithFix("Add an entry with agentName %q and a role, or do not write to %s.", name, name))
	}
	return findings
}
