package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/mail"
	"brenner/protocol"
	"brenner/session"
)

func newVerify(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "verify T|FILE",
		Short: "Prove a thread: its chain of messages and every version",
		Long: `Recompute the chain of hashes over a thread's messages, and each published version from the
messages before it. The first message that does not match is named. A FILE is an export.`,
		Example:           "  brenner verify RS-20260110-cell-fate\n  brenner verify thread.jsonl",
		Args:              exactly("T|FILE"),
		ValidArgsFunction: a.completeThreads,
	}, func(ctx context.Context, args []string) (report, error) {
		if isFile(args[0]) {
			return a.verifyFile(ctx, args[0])
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			v, err := p.Sessions.Verify(ctx, args[0])
			if err != nil {
				return nil, err
			}
			return newVerifyReport(v)
		})(ctx, args)
	})
}

func (a *app) verifyFile(ctx context.Context, path string) (report, error) {
	in, err := a.reader(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	lines, findings, err := mail.ReadLines(in)
	if err != nil {
		return nil, err
	}
	if protocol.HasErrors(findings) {
		return nil, verdict("the file", findings)
	}
	v := session.VerifyLines(lines)
	v.Findings = append(findings, v.Findings...)
	return newVerifyReport(v)
}

type verifyReport struct {
	Messages int                `json:"messages"`
	Versions int                `json:"versions"`
	FirstBad *badMessage        `json:"first_bad"`
	Findings []protocol.Finding `json:"findings"`
}

type badMessage struct {
	MessageID int64  `json:"message_id"`
	Reason    string `json:"reason"`
}

func newVerifyReport(v mail.Verification) (report, error) {
	r := verifyReport{Messages: v.Messages, Versions: v.Versions, Findings: nonNil(v.Findings)}
	if v.FirstBad == nil {
		return r, nil
	}
	r.FirstBad = &badMessage{v.FirstBad.Message, v.FirstBad.Reason}
	return r, protocol.Errorf(protocol.ChainBroken, "message %d does not match: %s", r.FirstBad.MessageID, r.FirstBad.Reason)
}

func (r verifyReport) show(p *printer) {
	p.findings(r.Findings, nil)
	if r.FirstBad == nil {
		p.print("%s and %s match\n", count(r.Messages, "message"), count(r.Versions, "version"))
	}
}
