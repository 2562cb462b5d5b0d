package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/config"
	"brenner/protocol"
	"brenner/session"
)

// The environment's part in choosing a roster (PROTOCOL 12).
const (
	envRoster       = "BRENNER_ROSTER"
	envRosterMode   = "BRENNER_ROSTER_MODE"
	envRosterPreset = "BRENNER_ROSTER_PRESET"
	envRosterAgent  = "BRENNER_ROSTER_AGENT_" // and the agent's name
)

// request gathers everything that can decide a roster: flags, environment, project file. The
// findings are about the text of rosters; with an error among them there is no request.
func (f *rosterFlags) request(ctx context.Context, a *app, c config.Config) (session.RosterRequest, []protocol.Finding, error) {
	g := gatherer{app: a, mode: f.effectiveMode(a)}
	if f.unified {
		g.source(session.RosterSource{Origin: "--unified", Mode: protocol.ModeUnified})
	}
	g.source(session.RosterSource{Origin: "--mode", Mode: protocol.RosterMode(f.mode)})
	g.text(ctx, "--roster", f.roster)
	g.source(session.RosterSource{Origin: "--to/--role", Entries: f.entries()})
	g.source(session.RosterSource{Origin: envRosterMode, Mode: protocol.RosterMode(a.streams.Getenv(envRosterMode))})
	g.text(ctx, envRoster, a.streams.Getenv(envRoster))
	req := session.RosterRequest{
		Recipients: f.recipients(), Sources: g.sources, Project: projectRoster(c), Presets: c.Roster.Presets,
		Choices: f.presetChoices(a, c),
	}
	req.Changes = append(environmentRoles(a, &req), f.changes...)
	if g.err == nil && protocol.HasErrors(g.findings) {
		g.err = rosterError(g.findings)
	}
	return req, g.findings, g.err
}

func rosterError(findings []protocol.Finding) error {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return protocol.Errorf(f.Code, "the roster is not valid: %s", f.Message).WithFindings(findings)
		}
	}
	return nil
}

// effectiveMode is the mode that flags or environment ask for by name.
func (f *rosterFlags) effectiveMode(a *app) protocol.RosterMode {
	switch {
	case f.unified:
		return protocol.ModeUnified
	case f.mode != "":
		return protocol.RosterMode(f.mode)
	}
	return protocol.RosterMode(a.streams.Getenv(envRosterMode))
}

func (f *rosterFlags) presetChoices(a *app, c config.Config) []session.PresetChoice {
	all := []session.PresetChoice{
		{ID: f.preset, Origin: "--preset"},
		{ID: a.streams.Getenv(envRosterPreset), Origin: envRosterPreset},
		{ID: c.Roster.DefaultPreset, Origin: "defaultPreset in " + c.Origins["roster.defaultPreset"], Default: true},
	}
	return slices.DeleteFunc(all, func(p session.PresetChoice) bool { return p.ID == "" })
}

func projectRoster(c config.Config) session.RosterSource {
	r := c.Roster
	return session.RosterSource{Origin: c.Origins["roster"], Entries: r.Entries, Mode: r.Mode, Name: r.Name}
}

// gatherer collects the sources of a roster, highest first.
type gatherer struct {
	app      *app
	mode     protocol.RosterMode // asked for by name
	sources  []session.RosterSource
	findings []protocol.Finding
	err      error
}

func (g *gatherer) source(s session.RosterSource) {
	if len(s.Entries) > 0 || s.Mode != "" || s.Name != "" {
		g.sources = append(g.sources, s)
	}
}

// text reads a roster given as JSON or @FILE.
func (g *gatherer) text(ctx context.Context, origin, value string) {
	if value == "" || g.err != nil {
		return
	}
	data := []byte(value)
	if path, ok := strings.CutPrefix(value, "@"); ok {
		if data, g.err = g.app.readAll(ctx, input{path, maxText, protocol.InvalidRoster}); g.err != nil {
			return
		}
	}
	roster, findings := protocol.ParseRoster(data)
	_, judged := protocol.CheckRosterText(data, nil)
	if g.judge(roster, judged) {
		findings = judged
	}
	g.findings = append(g.findings, findings...)
	g.source(session.RosterSource{Origin: origin, Entries: roster.Entries, Mode: roster.Mode, Name: roster.Name})
}

// judge tells whether the text breaks a rule. Heuristic mode, the only one that needs no entries,
// may be asked for outside of the text. What is only a warning is said once, when the roster is
// chosen.
func (g *gatherer) judge(roster protocol.Roster, findings []protocol.Finding) bool {
	for _, f := range findings {
		if f.Severity != protocol.SeverityError {
			continue
		}
		if f.Code != protocol.EmptyRoster || g.mode != protocol.ModeHeuristic || roster.Mode != "" {
			return true
		}
	}
	return false
}

// environmentRoles reads BRENNER_ROSTER_AGENT_<NAME>=role. A name in the environment has no
// hyphen and often no lower case: it means the agent that is spelled like it otherwise.
func environmentRoles(a *app, req *session.RosterRequest) []session.RoleChange {
	if a.streams.Environ == nil {
		return nil
	}
	var changes []session.RoleChange
	for _, variable := range slices.Sorted(slices.Values(a.streams.Environ())) {
		name, role, _ := strings.Cut(variable, "=")
		if agent, ok := strings.CutPrefix(name, envRosterAgent); ok && agent != "" && role != "" {
			changes = append(changes, session.RoleChange{Agent: spelling(agent, req), Role: protocol.Role(role), Origin: name})
		}
	}
	return changes
}

func spelling(agent string, req *session.RosterRequest) string {
	known := slices.Clone(req.Recipients)
	for _, s := range append(slices.Clone(req.Sources), req.Project) {
		for _, e := range s.Entries {
			known = append(known, e.AgentName)
		}
	}
	for _, name := range known {
		if strings.EqualFold(strings.ReplaceAll(name, "-", "_"), agent) {
			return name
		}
	}
	return agent
}

// completePresets offers the presets of the project and the built-in ones.
func (a *app) completePresets(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	c, err := a.readConfig(cmd.Context())
	if err != nil {
		c = config.Config{}
	}
	var list []cobra.Completion
	for _, p := range presets(c) {
		list = append(list, cobra.CompletionWithDesc(p.ID, p.Name))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// presets are those of the project, then the built-in ones that it does not override.
func presets(c config.Config) []protocol.Preset {
	list := slices.Clone(c.Roster.Presets)
	for _, p := range protocol.BuiltinPresets() {
		if !slices.ContainsFunc(list, func(own protocol.Preset) bool { return own.ID == p.ID }) {
			list = append(list, p)
		}
	}
	return list
}
