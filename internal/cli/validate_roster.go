package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

func newValidateRoster(a *app) *cobra.Command {
	var recipients []string
	cmd := &cobra.Command{
		Use:   "roster FILE|-",
		Short: "Judge a roster: agents, roles, mode, and whether all recipients are covered",
		Example: "  brenner validate roster roster.json\n" +
			"  brenner validate roster - --recipients BlueLake,RedSky < roster.json",
		Args: exactly("FILE"),
	}
	cmd.Flags().StringSliceVar(&recipients, "recipients", nil, "`AGENTS` that must have a role, separated by commas")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		text, err := a.readAll(ctx, input{args[0], maxText, protocol.InvalidRoster})
		if err != nil {
			return nil, err
		}
		if !cmd.Flags().Changed("recipients") {
			recipients = nil // coverage is not judged
		}
		r := newRosterReport(text, recipients)
		r.file = args[0]
		return r, verdict("the roster", r.Findings)
	})
}

type rosterReport struct {
	Mode     protocol.RosterMode    `json:"mode"`
	Agents   []protocol.RosterEntry `json:"agents"` // in heuristic mode with the recipients whose roles could be guessed
	Findings []protocol.Finding     `json:"findings"`

	file, text string
}

func newRosterReport(text []byte, recipients []string) rosterReport {
	roster, findings := protocol.CheckRosterText(text, recipients)
	r := rosterReport{Mode: roster.Mode, Agents: protocol.NonNil(roster.Entries), Findings: protocol.NonNil(findings), text: string(text)}
	for _, name := range recipients {
		_, listed := roster.Entry(name)
		if role, ok := roster.RoleOf(name); ok && !listed {
			r.Agents = append(r.Agents, protocol.RosterEntry{AgentName: name, Role: role})
		}
	}
	return r
}

func (r rosterReport) show(p *printer) {
	p.findings(r.Findings, newSource(r.text))
	if p.failed {
		p.explain(r.Findings)
		return
	}
	for _, e := range r.Agents {
		p.print("%s %s\n", visible(e.AgentName), visible(string(e.Role)))
	}
	p.note("valid, %s mode, %s", r.Mode, tally(r.Findings))
	p.next("brenner", "validate", "roster", r.file, "--recipients", "A,B")
}
