package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

func newConfig(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "config",
		Short:   "Show the settings of the project",
		Example: "  brenner config show --explain",
	}, newConfigShow(a))
}

func newConfigShow(a *app) *cobra.Command {
	var explain bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show every setting and, with --explain, where it comes from",
		Long: `Show the settings that apply here: the project file (brenner.config.ts, .json, .yaml or .brennerrc),
below it your own defaults, flags and environment above, and what applies where nobody says anything.`,
		Example: "  brenner config show --explain\n  brenner config show --json",
		Args:    exactly(),
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "print where each value comes from")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		found, err := a.find(ctx)
		if err != nil {
			return nil, err
		}
		c, findings, err := found.Config()
		if err != nil {
			return nil, err
		}
		r := configReport{Project: found.Root, Settings: settings(c), Findings: protocol.NonNil(findings), explain: explain}
		r.Settings = append([]setting{a.projectSetting(found), a.storeSetting(found), a.identitySetting()}, r.Settings...)
		return r, nil
	})
}

type configReport struct {
	Project  string             `json:"project"`
	Settings []setting          `json:"settings"`
	Findings []protocol.Finding `json:"findings"`

	explain bool
}

func (r configReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	cols := columns("Setting", "Value…")
	if r.explain {
		cols = columns("Setting", "Value…", "From…")
	}
	var rows [][]string
	for _, s := range r.Settings {
		row := []string{s.Key, s.text()}
		if r.explain {
			row = append(row, s.Origin)
		}
		rows = append(rows, row)
	}
	p.table(cols, rows)
	if !r.explain {
		p.next("brenner", "config", "show", "--explain")
		return
	}
	p.next("brenner", "roster", "show", "--explain")
}
