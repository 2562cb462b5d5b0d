package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/commandline"
	"brenner/internal/liveness"
)

func newWhy(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "why AGENT",
		Short: "Say whether an agent works, waits, idles, is silent or dead, and why",
		Long: `Judge an agent from facts: its process, its last call, whether it waits for mail, what it owes,
what it last sent, the files it holds, and as the last resort its pane. The verdict is working,
waiting, idle, silent, dead or unknown; the evidence stands below it, the weightiest first. Nobody is
called dead without proof.`,
		Example:           "  brenner why BlueLake",
		Args:              exactly("AGENT"),
		ValidArgsFunction: a.completeAgents,
	}, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		verdict, err := p.Sessions.Why(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return whyReport{verdict}, nil
	}))
}

type whyReport struct{ liveness.Verdict }

func (r whyReport) show(p *printer) {
	p.print("%s: %s\n", p.style(styleBold, visible(r.Agent)), r.State)
	p.field("because", r.Reason)
	if !r.Since.IsZero() {
		p.field("since", r.Since.String())
	}
	if len(r.Evidence) > 0 {
		p.print("  evidence:\n")
	}
	for _, e := range r.Evidence {
		at := ""
		if !e.At.IsZero() {
			at = " (" + e.At.String() + ")"
		}
		p.print("    %s: %s%s\n", e.Fact, visible(e.Value), at)
	}
	p.hint("%s", visible(commandline.Fix(r.NextStep, r.Action)))
}
