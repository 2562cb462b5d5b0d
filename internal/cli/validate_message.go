package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/artifact/delta"
	"brenner/internal/evidence"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// maxText is the largest text that is read at all; what a message may weigh is decided by
// the protocol.
const maxText = 64 << 20

func newValidateMessage(a *app) *cobra.Command {
	var subject, body, thread, from string
	var ackRequired bool
	cmd := &cobra.Command{
		Use:   "message --subject TEXT --body FILE|-",
		Short: "Judge a message: its subject, body and delta blocks",
		Long: `Judge a message as it would be judged at send. Without --thread it is judged as on a thread under
the protocol; with one that is not (neither RS- nor opened by a KICKOFF, such as this message) errors
are warnings. Without --ack-required the default of the message's type applies.`,
		Example: "  brenner validate message --subject 'KICKOFF: Cell fate' --body kickoff.md\n" +
			"  brenner validate message --subject 'ACK: Got it' --body - --ack-required=false < ack.md",
		Args: exactly(),
	}
	flags := cmd.Flags()
	flags.StringVar(&subject, "subject", "", "subject `TEXT`")
	flags.StringVar(&body, "body", "", "`FILE` with the body, - for stdin")
	flags.StringVar(&thread, "thread", "", "thread `ID` the message is for")
	flags.StringVar(&from, "from", "", "sending `AGENT`")
	flags.BoolVar(&ackRequired, "ack-required", false, "the message asks for an acknowledgement, or not (=false)")
	required(cmd, "subject", "body")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		text, err := a.readAll(ctx, input{body, maxText, protocol.MessageTooLarge})
		if err != nil {
			return nil, err
		}
		if !flags.Changed("from") {
			from = a.flags.as
		}
		draft := message.Draft{ThreadID: thread, From: from, Subject: subject, Body: string(text)}
		if flags.Changed("ack-required") {
			draft.AckRequired = &ackRequired
		}
		library, err := a.library(ctx)
		if err != nil {
			return nil, err
		}
		r := newMessageReport(draft, library)
		if flags.Changed("thread") && thread == "" {
			listed, more := protocol.Listed(append(protocol.CheckThreadID(thread), r.Findings...))
			r.Findings, r.More = listed, r.More+more
		}
		return r, verdictBeside("the message", r.Findings, r.More)
	})
}

type messageReport struct {
	Type        protocol.MessageType `json:"type"`
	AckRequired bool                 `json:"ack_required"`
	Findings    []protocol.Finding   `json:"findings"`
	More        int                  `json:"more"`    // findings that are counted only
	Receipt     *delta.Receipt       `json:"receipt"` // null for a message that has nothing to do with deltas

	body string
}

// newMessageReport judges as enforced, unless a thread is named that is not under the protocol:
// there findings are warnings (PROTOCOL 3). The message counts as its thread's first.
func newMessageReport(draft message.Draft, library *evidence.Library) messageReport {
	checked := message.Check(draft, message.Facts{})
	if draft.ThreadID != "" && !message.Enforced(draft.ThreadID, checked.Type) {
		checked = message.Check(draft, message.Facts{Intake: protocol.Lenient})
	}
	session.CheckMessage(library, &checked)
	return messageReport{
		Type: checked.Type, AckRequired: checked.AckRequired,
		Findings: protocol.NonNil(checked.Findings), More: checked.More, Receipt: checked.Receipt, body: draft.Body,
	}
}

func (r messageReport) show(p *printer) {
	p.findings(r.Findings, newSource(r.body))
	p.more(r.More, "finding")
	p.receipt(r.Receipt)
	if p.failed {
		p.explain(r.Findings)
		return
	}
	ack := "asks for no acknowledgement"
	if r.AckRequired {
		ack = "asks for an acknowledgement"
	}
	p.print("%s, %s\n", r.Type, ack)
	p.note("valid, %s", tally(r.Findings))
	p.next("brenner", "help", "validate", "message")
}
