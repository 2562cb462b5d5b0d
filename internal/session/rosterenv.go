package session

import (
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// The environment's part in choosing a roster (PROTOCOL 12).
const (
	envRoster       = "BRENNER_ROSTER"
	envRosterMode   = "BRENNER_ROSTER_MODE"
	envRosterPreset = "BRENNER_ROSTER_PRESET"
	envRosterAgent  = "BRENNER_ROSTER_AGENT_" // and the agent's name
)

// RosterEnvironment is what the environment of a process says about rosters.
type RosterEnvironment struct {
	Sources []RosterSource
	Choices []PresetChoice
	Changes []RoleChange
}

// ReadRosterEnvironment reads the variables of an environment. asked is the mode that a higher source asks
// for; readFile reads what @FILE names. Findings about the text of a roster name the variable; variables
// that mean nothing are warned of.
func ReadRosterEnvironment(environ []string, asked protocol.RosterMode,
	readFile func(path string) ([]byte, error)) (RosterEnvironment, []protocol.Finding, error) {
	var e RosterEnvironment
	var findings []protocol.Finding
	text := ""
	for _, variable := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(variable, "=")
		agent, isAgent := strings.CutPrefix(name, envRosterAgent)
		switch {
		case !strings.HasPrefix(name, envRoster):
		case name == envRoster:
			text = value
		case name == envRosterMode && value != "":
			e.Sources = append(e.Sources, RosterSource{Kind: FromEnvironment, Origin: name, Mode: protocol.RosterMode(value)})
			if asked == "" {
				asked = protocol.RosterMode(value)
			}
		case name == envRosterPreset && value != "":
			e.Choices = append(e.Choices, PresetChoice{ID: value, Origin: name})
		case isAgent && agent != "" && value != "":
			e.Changes = append(e.Changes, RoleChange{Kind: FromEnvironment, Agent: agent, Role: protocol.Role(value), Origin: name})
		case value != "":
			findings = append(findings, protocol.NewFinding(protocol.UnknownVariable, "%s is set, but nothing reads it", name))
		}
	}
	if text == "" {
		return e, findings, nil
	}
	source, more, err := RosterFromText(envRoster, text, asked, readFile)
	for i := range more {
		more[i].Message = envRoster + ": " + more[i].Message
	}
	source.Kind = FromEnvironment
	e.Sources = append(e.Sources, source)
	return e, append(findings, more...), err
}

// RosterFromText reads a roster given as JSON or @FILE. asked is the mode that a higher source asks for:
// heuristic mode, the only one that needs no entries, may be asked for outside of the text. What is only
// a warning is said once, when the roster is chosen.
func RosterFromText(origin, text string, asked protocol.RosterMode,
	readFile func(path string) ([]byte, error)) (RosterSource, []protocol.Finding, error) {
	data := []byte(text)
	if path, ok := strings.CutPrefix(text, "@"); ok {
		var err error
		if data, err = readFile(path); err != nil {
			return RosterSource{}, nil, err
		}
	}
	roster, findings := protocol.ParseRoster(data)
	_, judged := protocol.CheckRosterText(data, nil)
	if breaksRule(roster, judged, asked) {
		findings = judged
	}
	return RosterSource{Origin: origin, Entries: roster.Entries, Mode: roster.Mode, Name: roster.Name, CreatedAt: roster.CreatedAt},
		findings, nil
}

func breaksRule(roster protocol.Roster, findings []protocol.Finding, asked protocol.RosterMode) bool {
	return slices.ContainsFunc(findings, func(f protocol.Finding) bool {
		return f.Severity == protocol.SeverityError &&
			(f.Code != protocol.EmptyRoster || asked != protocol.ModeHeuristic || roster.Mode != "")
	})
}

// spelled finds the agent that a variable means: its name there has no hyphen and often no lower case.
func spelled(variable string, known []string) string {
	for _, name := range known {
		if strings.EqualFold(strings.ReplaceAll(name, "-", "_"), variable) {
			return name
		}
	}
	return variable
}
