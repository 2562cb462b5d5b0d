package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// deltaSubject is the subject under which a bare body is judged: that of a DELTA message.
const deltaSubject = "DELTA[human]: validate"

func newValidateDelta(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "delta FILE|-",
		Short: "Judge the delta blocks in the body of a message",
		Long: `Judge the body of a DELTA message: every delta block, and whatever looks as if it was meant
to be one. The receipt says of each block whether it would be accepted. Exit code 3 if a
block is rejected, or if something meant as a delta stands outside a delta fence.`,
		Example: "  brenner validate delta message.md\n  brenner validate delta - --json < message.md",
		Args:    exactly("FILE"),
	}, func(ctx context.Context, args []string) (report, error) {
		text, err := a.readAll(ctx, input{args[0], maxText, protocol.MessageTooLarge})
		if err != nil {
			return nil, err
		}
		r := newDeltaReport(string(text))
		r.file = args[0]
		return r, verdictBeside("the message", r.Findings, r.More)
	})
}

type deltaReport struct {
	Receipt  *delta.Receipt     `json:"receipt"` // null for text that cannot be read at all
	Findings []protocol.Finding `json:"findings"`
	More     int                `json:"more"` // findings that are counted only

	file, body string
}

func newDeltaReport(body string) deltaReport {
	checked := message.Check(message.Draft{Subject: deltaSubject, Body: body}, message.Facts{})
	return deltaReport{Receipt: checked.Receipt, Findings: protocol.NonNil(checked.Findings), More: checked.More, body: body}
}

func (r deltaReport) show(p *printer) {
	p.findings(r.Findings, newSource(r.body))
	p.more(r.More, "finding")
	p.receipt(r.Receipt)
	if p.failed {
		p.next("brenner", "delta", "fix", r.file)
		return
	}
	p.note("valid, %s", tally(r.Findings))
	p.next("brenner", "validate", "message", "--subject", "DELTA[human]: …", "--body", r.file)
}
