package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

func newValidateSubject(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "subject VALUE",
		Short:   "Judge a subject line and tell its type",
		Example: "  brenner validate subject 'DELTA[opus]: Added potency controls for T2'",
		Args:    exactly("VALUE"),
	}, func(_ context.Context, args []string) (report, error) {
		r := newSubjectReport(args[0])
		return r, verdict("the subject", r.Findings)
	})
}

type subjectReport struct {
	Type        *protocol.MessageType `json:"type"`      // of a message with this subject and no delta block; null if the prefix is none
	Shorthand   *string               `json:"shorthand"` // the word in DELTA[…]; null for other types
	Description string                `json:"description"`
	Findings    []protocol.Finding    `json:"findings"`

	value string
}

func newSubjectReport(value string) subjectReport {
	subject, findings := protocol.ParseSubject(value, protocol.Strict)
	r := subjectReport{Description: subject.Description, Findings: protocol.NonNil(findings), value: value}
	if !subject.Valid {
		return r
	}
	class := subject.Classify(false)
	r.Type = &class
	if subject.Prefix == protocol.TypeDelta {
		r.Shorthand = &subject.Shorthand
	}
	return r
}

func (r subjectReport) show(p *printer) {
	p.findings(r.Findings, newSource(r.value))
	if p.failed {
		p.explain(r.Findings)
		return
	}
	p.print("%s: %s\n", *r.Type, visible(r.Description))
	p.note("valid, %s", tally(r.Findings))
	p.next("brenner", "validate", "message", "--subject", r.value, "--body", "body.md")
}
