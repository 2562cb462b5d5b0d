package app

import (
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// maxRosterBytes bounds a roster that a variable names as @FILE.
const maxRosterBytes = 1 << 20

// rosterDefaults is what decides rosters behind a server: its environment above the request, the
// settings below (PROTOCOL 12).
func (a *App) rosterDefaults(environ []string) (session.RosterRequest, error) {
	env, findings, err := session.ReadRosterEnvironment(environ, "", func(path string) ([]byte, error) {
		return projectfs.ReadFile(path, maxRosterBytes)
	})
	a.Findings = append(a.Findings, findings...)
	if err != nil {
		return session.RosterRequest{}, err
	}
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return session.RosterRequest{}, protocol.Errorf(f.Code, "%s", f.Message).WithFindings(findings)
		}
	}
	c := a.Config.Roster
	req := session.RosterRequest{
		Sources: env.Sources, Choices: env.Choices, Changes: env.Changes, Presets: c.Presets,
		Project: session.RosterSource{Origin: a.Config.Origins["roster"], Entries: c.Entries, Mode: c.Mode, Name: c.Name},
	}
	if c.DefaultPreset != "" {
		req.Choices = append(req.Choices, session.PresetChoice{
			ID: c.DefaultPreset, Origin: "defaultPreset in " + a.Config.Origins["roster.defaultPreset"], Default: true,
		})
	}
	return req, nil
}

// variables lists what in the environment overrides a form.
func variables(req session.RosterRequest) []string {
	var names []string
	for _, s := range req.Sources {
		names = append(names, s.Origin)
	}
	for _, c := range req.Choices {
		if !c.Default {
			names = append(names, c.Origin)
		}
	}
	for _, c := range req.Changes {
		names = append(names, c.Origin)
	}
	return names
}
