package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/delta/repair"
	"brenner/internal/protocol"
)

func newDeltaFix(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "fix FILE|-",
		Short: "Repair the delta blocks of a message",
		Long: `Print the message body with its slips repaired: fences, commas, quotes, aliases, the case of
operations, reserved keys. Text inside strings stays as it is. What was repaired is listed on
stderr. Exit code 3 if an error remains that only its author can mend.`,
		Example: "  brenner delta fix message.md > fixed.md\n  brenner delta fix - --json < message.md",
		Args:    exactly("FILE"),
	}, func(ctx context.Context, args []string) (report, error) {
		text, err := a.readAll(ctx, input{args[0], maxText, protocol.MessageTooLarge})
		if err != nil {
			return nil, err
		}
		return fixDelta(string(text))
	})
}

type fixReport struct {
	Fixed   string             `json:"fixed"`
	Repairs []protocol.Finding `json:"repairs"`
	More    int                `json:"more"`    // repairs that are counted only
	Receipt *delta.Receipt     `json:"receipt"` // of the repaired body

	remaining []protocol.Finding
}

func fixDelta(body string) (report, error) {
	// Text that cannot be a message at all is not repaired.
	if before := newDeltaReport(body); before.Receipt == nil {
		return fixReport{Fixed: body, Repairs: []protocol.Finding{}, remaining: before.Findings},
			verdictBeside("the message", before.Findings, before.More)
	}
	fixed := repair.Fix(body)
	after := newDeltaReport(fixed.Text)
	r := fixReport{fixed.Text, protocol.NonNil(fixed.Repairs), fixed.MoreRepairs, after.Receipt, after.Findings}
	if !fixed.Changed {
		return r, verdictBeside("the message could not be repaired; it", after.Findings, after.More)
	}
	return r, verdictBeside("the repaired message", after.Findings, after.More)
}

func (r fixReport) show(p *printer) {
	p.text(r.Fixed)
	if !p.quiet {
		p.findingsOnErr(r.Repairs)
	}
	if p.failed {
		p.note("what remains, in the repaired message:")
		p.findingsOnErr(r.remaining)
		p.explain(r.remaining)
		return
	}
	p.note("%s", count(len(r.Repairs)+r.More, "repair"))
	p.next("brenner", "validate", "message", "--subject", "DELTA[human]: …", "--body", "fixed.md")
}
