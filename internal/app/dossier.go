package app

import (
	"context"

	"brenner/internal/crate"
	"brenner/internal/dossier"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/server"
	"brenner/internal/transcript"
	"brenner/internal/web"
)

// Tool names this program with its version, as reports and crates do.
func Tool(version string) string { return "brenner " + version }

// Dossiers carries versions of the project out. version is that of this program.
func (a *App) Dossiers(version string) dossier.Project {
	settings := dossier.Settings{
		License: a.Config.Crate.License, Tool: Tool(version),
		Family: func(agent science.Agent) string { return agent.Family(a.Config.Families) },
	}
	for _, author := range a.Config.Crate.Authors {
		settings.Authors = append(settings.Authors, crate.Person(author))
	}
	return dossier.Project{
		Sessions: a.Sessions, Evidence: a.Evidence, Settings: settings,
		Transcript: func() *transcript.Transcript { return a.transcript() },
		Journals:   a.Witness(protocol.Operator).Parts,
	}
}

// downloads makes the files that pages offer. A crate names who got blind copies: with strict identity only the operator takes
// one that does.
func (a *App) downloads(o ServeOptions) web.Downloads {
	return func(ctx context.Context, thread string, version int, form string) (web.Download, error) {
		b, err := a.Dossiers(o.Version).Make(ctx, thread, version)
		if err != nil {
			return web.Download{}, err
		}
		if form == "zip" && o.Strict && !server.IdentityOf(ctx).Operator && len(b.BlindCopies()) > 0 {
			return web.Download{}, protocol.Errorf(protocol.NotAllowed,
				"the crate of %s names who got blind copies; the operator can take it", thread)
		}
		f, err := b.Form(form)
		return web.Download(f), err
	}
}
