package app

import (
	"context"

	"brenner/internal/artifact/lint"
	"brenner/internal/protocol"
)

// LintProject is what lint can ask of the project, as far as it is there. Nothing is made: without
// a store the other sessions are not known, and the rules about them do not run.
func LintProject(ctx context.Context, o Options) (*lint.Project, []protocol.Finding, error) {
	a, err := Peek(ctx, o)
	if err == nil {
		defer a.Close()
		project, err := a.Sessions.LintProject(ctx)
		return project, a.Findings, err
	}
	if protocol.CodeOf(err) != protocol.NotFound {
		return nil, nil, err
	}
	a = &App{Project: o.Project}
	if a.Config, a.Findings, err = o.Project.Config(); err != nil {
		return nil, nil, err
	}
	settings, err := a.settings()
	if err != nil {
		return nil, nil, err
	}
	library, err := settings.Library()
	return &lint.Project{Library: library}, a.Findings, err
}
