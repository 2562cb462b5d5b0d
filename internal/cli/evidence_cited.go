package cli

import (
	"context"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// sourceJSON is a source with what rests on it.
type sourceJSON struct {
	evidenceJSON
	CitedBy  []session.Reliance `json:"cited_by"`
	Findings []protocol.Finding `json:"findings"`
}

// withCiting adds what rests on a source. The pack needs no store: one that cannot be asked is a warning.
func (a *app) withCiting(ctx context.Context, j evidenceJSON, findings []protocol.Finding) sourceJSON {
	r := sourceJSON{evidenceJSON: j, CitedBy: []session.Reliance{}, Findings: protocol.NonNil(findings)}
	_, err := a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		list, err := p.Sessions.RestsOn(ctx, j.ID, nil)
		r.CitedBy = list
		return nil, err
	})(ctx, nil)
	if err != nil {
		r.Findings = append(r.Findings, protocol.NewFinding(protocol.CodeOf(err), "what rests on %s is not known: %v", j.ID, err).
			As(protocol.SeverityWarning))
	}
	return r
}

// showCiting prints what rests on a source.
func (r sourceJSON) showCiting(p *printer) {
	for i, c := range r.CitedBy {
		if i == maxSourceLines {
			p.print("  … and %d more\n", len(r.CitedBy)-i)
			break
		}
		what := string(c.How)
		if c.Item != nil {
			what += " " + *c.Item
		}
		if c.MessageID != nil {
			what += ", #" + formatInt(*c.MessageID)
		}
		p.print("  rests on it: %s in %s\n", visible(what), visible(c.ThreadID))
	}
	if len(r.CitedBy) == 0 {
		p.print("  nothing rests on it\n")
	}
}
