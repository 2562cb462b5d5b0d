package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

func newValidateThreadID(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "thread-id VALUE",
		Short:   "Judge a thread id",
		Example: "  brenner validate thread-id RS-20251230-cell-fate-dichotomy",
		Args:    exactly("VALUE"),
	}, func(_ context.Context, args []string) (report, error) {
		r := threadIDReport{args[0], protocol.KindOf(args[0]), protocol.NonNil(protocol.CheckThreadID(args[0]))}
		return r, verdict("the thread id", r.Findings)
	})
}

type threadIDReport struct {
	Value    string              `json:"value"`
	Kind     protocol.ThreadKind `json:"kind"`
	Findings []protocol.Finding  `json:"findings"`
}

func (r threadIDReport) show(p *printer) {
	p.findings(r.Findings, newSource(r.Value))
	if p.failed {
		p.explain(r.Findings)
		return
	}
	p.print("%s: %s thread\n", visible(r.Value), r.Kind)
	p.note("valid, %s", tally(r.Findings))
	p.next("brenner", "validate", "message", "--thread", r.Value, "--subject", "KICKOFF: …", "--body", "kickoff.md")
}
