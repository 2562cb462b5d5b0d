package app

import (
	"brenner/internal/crate"
	"brenner/internal/release"
	"brenner/review"
	"brenner/transcript"
)

// Tool names this program with its version, as reports and crates do.
func Tool(version string) string { return "brenner " + version }

// Releases carries versions of the project out. version is that of this program.
func (a *App) Releases(version string) release.Project {
	settings := release.Settings{
		License: a.Config.Crate.License, Tool: Tool(version),
		Family: func(agent review.Agent) string { return agent.Family(a.Config.Families) },
	}
	for _, author := range a.Config.Crate.Authors {
		settings.Authors = append(settings.Authors, crate.Person(author))
	}
	return release.Project{
		Sessions: a.Sessions, Evidence: a.Evidence, Settings: settings,
		Transcript: func() *transcript.Transcript { return a.transcript() },
	}
}
