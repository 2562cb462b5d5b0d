package cli

import (
	"context"

	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

// compileFile folds the lines of a file; nothing is published.
func (a *app) compileFile(ctx context.Context, path string) (compileReport, error) {
	doc, err := a.readDocument(ctx, path)
	if err != nil {
		return compileReport{}, err
	}
	if doc.view == nil {
		return compileReport{}, protocol.Errorf(protocol.InvalidInput, "%q does not hold message lines", path)
	}
	r := compileReport{Compiled: usecase.Compiled{Outcome: session.OutcomeOf(doc.view), DryRun: true}, file: path}
	r.Findings = protocol.NonNil(append(doc.findings, r.Findings...))
	return r, nil
}
