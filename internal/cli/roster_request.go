package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"brenner/internal/config"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// request gathers everything that can decide a roster: flags, environment, project file. The
// findings are about the text of rosters; with an error among them there is no request.
func (f *rosterFlags) request(ctx context.Context, a *app, c config.Config) (session.RosterRequest, []protocol.Finding, error) {
	read := func(path string) ([]byte, error) { return a.readAll(ctx, input{path, maxText, protocol.InvalidRoster}) }
	env, findings, err := session.ReadRosterEnvironment(a.environ(), f.askedMode(), read)
	if err != nil {
		return session.RosterRequest{}, findings, err
	}
	sources, more, err := f.sources(env, read)
	findings = append(more, findings...)
	if err != nil {
		return session.RosterRequest{}, findings, err
	}
	req := session.RosterRequest{
		Recipients: f.recipients(), Described: f.described(), Sources: append(sources, env.Sources...), Project: projectRoster(c),
		Presets: c.Roster.Presets,
		Choices: f.presetChoices(env, c), Changes: append(env.Changes, f.changes...),
	}
	return req, findings, rosterError(findings)
}

func (a *app) environ() []string {
	if a.streams.Environ == nil {
		return nil
	}
	return a.streams.Environ()
}

// sources are what the flags say, highest first.
func (f *rosterFlags) sources(env session.RosterEnvironment,
	read func(string) ([]byte, error)) ([]session.RosterSource, []protocol.Finding, error) {
	list := []session.RosterSource{{Kind: session.FromFlags, Origin: "--mode", Mode: protocol.RosterMode(f.mode)}}
	if f.unified {
		list[0] = session.RosterSource{Kind: session.FromFlags, Origin: "--unified", Mode: protocol.ModeUnified}
	}
	var findings []protocol.Finding
	if f.roster != "" {
		asked := f.askedMode()
		for _, s := range env.Sources {
			asked = cmp.Or(asked, s.Mode)
		}
		source, found, err := session.RosterFromText("--roster", f.roster, asked, read)
		if err != nil {
			return nil, found, err
		}
		source.Kind, findings = session.FromFlags, found
		list = append(list, source)
	}
	return append(list, session.RosterSource{Kind: session.FromFlags, Origin: "--to/--role", Entries: f.entries()}), findings, nil
}

func rosterError(findings []protocol.Finding) error {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return protocol.Errorf(f.Code, "the roster is not valid: %s", f.Message).WithFindings(findings)
		}
	}
	return nil
}

// askedMode is the mode that flags ask for by name.
func (f *rosterFlags) askedMode() protocol.RosterMode {
	if f.unified {
		return protocol.ModeUnified
	}
	return protocol.RosterMode(f.mode)
}

func (f *rosterFlags) presetChoices(env session.RosterEnvironment, c config.Config) []session.PresetChoice {
	all := append([]session.PresetChoice{{ID: f.preset, Origin: "--preset"}}, env.Choices...)
	all = append(all, session.PresetChoice{ID: c.Roster.DefaultPreset, Origin: "defaultPreset in " + c.Origins["roster.defaultPreset"],
		Default: true})
	return slices.DeleteFunc(all, func(p session.PresetChoice) bool { return p.ID == "" })
}

func projectRoster(c config.Config) session.RosterSource {
	r := c.Roster
	return session.RosterSource{Origin: c.Origins["roster"], Entries: r.Entries, Mode: r.Mode, Name: r.Name}
}

// completePresets offers the presets of the project and the built-in ones.
func (a *app) completePresets(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	c, err := a.readConfig(cmd.Context())
	if err != nil {
		c = config.Config{}
	}
	var list []cobra.Completion
	for _, p := range protocol.Presets(c.Roster.Presets) {
		list = append(list, cobra.CompletionWithDesc(p.ID, p.Name))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
