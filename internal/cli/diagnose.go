package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

type diagnoseFlags struct{ fix, apply bool }

func newDiagnose(a *app) *cobra.Command {
	var f diagnoseFlags
	cmd := &cobra.Command{
		Use:   "diagnose T",
		Short: "Tell which messages will compile, which will not, and why",
		Long: `Go through a thread message by message: what each delta block did, and what is wrong with the others.
--fix shows the repaired deltas of messages that could not be read; --apply posts them as DELTA[human],
each naming the message it repairs. Nothing that was sent is ever changed.`,
		Example:           "  brenner diagnose RS-20260110-cells-turn\n  brenner diagnose RS-20260110-cells-turn --fix --apply",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.fix, "fix", false, "show repaired deltas")
	flags.BoolVar(&f.apply, "apply", false, "post the repaired deltas; with --fix")
	a.fromFlag(cmd)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if f.apply && !f.fix {
			return nil, usageFor(cmd, "--apply posts what --fix shows: give both")
		}
		run := func(ctx context.Context, p *project.App, args []string) (report, error) {
			return f.run(ctx, a, p, args[0])
		}
		if f.apply {
			run = a.acting(run)
		}
		return a.working("diagnosing", run)(ctx, args)
	})
}

func (f diagnoseFlags) run(ctx context.Context, a *app, p *project.App, thread string) (report, error) {
	d, err := usecase.Diagnose.Do(ctx, usecase.At{Sessions: p.Sessions}, usecase.DiagnoseRequest{Thread: thread, Fix: f.fix})
	if err != nil {
		return nil, err
	}
	if !f.apply || len(d.Fixes) == 0 {
		return diagnoseReport{d, f}, nil
	}
	as, err := a.sender(ctx, p)
	if err != nil {
		return diagnoseReport{d, f}, err
	}
	err = p.Sessions.ApplyFixes(ctx, &d, as)
	return diagnoseReport{d, f}, err
}

type diagnoseReport struct {
	session.Diagnosis

	asked diagnoseFlags
}

func (r diagnoseReport) show(p *printer) {
	for _, m := range r.Messages {
		p.diagnosed(m)
	}
	for _, f := range r.Fixes {
		p.print("\nrepaired #%d", f.MessageID)
		if f.PostedAs != nil {
			p.print(", posted as #%d", *f.PostedAs)
		}
		p.print(":\n\n")
		p.text(f.Fixed)
	}
	p.more(r.MoreFixed, "text")
	r.advise(p)
}

// diagnosed shows a message that did something to the artifact, or should have.
func (p *printer) diagnosed(m session.Diagnosed) {
	if m.Receipt == nil && len(m.Findings) == 0 {
		return
	}
	verdict := string(m.Type)
	if m.Receipt != nil {
		verdict += receiptText(m.Receipt)
	}
	p.print("%s %s: %s (%s)\n", p.style(styleBold, "#"+formatInt(m.ID)), visible(m.From), visible(m.Subject), verdict)
	if m.Receipt != nil {
		p.rejections(m.Receipt)
	}
	for _, f := range m.Unlisted() {
		p.indented("  ", p.finding(f, nil))
	}
	p.more(m.More, "finding")
}

// rejections says why each block was rejected, and what else there is to say about blocks.
func (p *printer) rejections(r *delta.Receipt) {
	for _, b := range r.Blocks {
		if b.Status != delta.Rejected && len(b.Findings) == 0 {
			continue
		}
		p.print("  block %d, line %d: %s\n", b.Index, b.Line, b.Status)
		for _, f := range b.Findings {
			p.indented("    ", p.finding(f, nil))
		}
	}
	if r.More > 0 {
		p.print("  ")
		p.more(r.More, "block")
	}
}

// indented prints a finding below what it belongs to.
func (p *printer) indented(by, finding string) {
	for line := range strings.Lines(finding) {
		p.print("%s%s", by, line)
	}
}

func receiptText(r *delta.Receipt) string {
	return ", " + count(r.Found, "block") + ": " + formatInt(int64(r.Accepted)) + " accepted, " + formatInt(int64(r.Rejected)) + " rejected"
}

func (r diagnoseReport) advise(p *printer) {
	rejected := false
	for _, m := range r.Messages {
		rejected = rejected || m.Type == protocol.TypeDelta && m.Receipt != nil && (m.Receipt.Rejected > 0 || m.Receipt.Accepted == 0)
	}
	id := r.ThreadID
	switch {
	case len(r.Fixes) > 0 && r.Fixes[0].PostedAs == nil:
		p.next("brenner", "diagnose", id, "--fix", "--apply")
	case rejected && !r.asked.fix:
		p.next("brenner", "diagnose", id, "--fix")
	case rejected && len(r.Fixes) == 0:
		p.note("what is left can only be mended by its authors")
	default:
		p.next("brenner", "compile", id)
	}
}
