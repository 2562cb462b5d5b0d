package cli

import (
	"context"

	"brenner/mail"
	"brenner/protocol"
	"brenner/session"
)

// compileFile folds the lines of a file; nothing is published.
func (a *app) compileFile(ctx context.Context, path string) (compileReport, error) {
	doc, err := a.readDocument(ctx, path)
	if err != nil {
		return compileReport{}, err
	}
	if doc.lines == nil {
		return compileReport{}, protocol.Errorf(protocol.InvalidInput, "%q does not hold message lines", path)
	}
	view := session.NewView(doc.Metadata.SessionID)
	for i := range doc.lines {
		view.Add(mail.Message{Message: doc.lines[i].Message()})
	}
	r := compileReport{Outcome: session.OutcomeOf(view), file: path}
	r.Findings = nonNil(append(doc.findings, r.Findings...))
	return r, nil
}
