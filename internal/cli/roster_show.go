package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newRosterShow(a *app) *cobra.Command {
	return a.rosterCommand(&cobra.Command{
		Use:   "show",
		Short: "Show the roster that session start would use",
		Long: `Show the roster that the flags given here, the environment and the project file come to, as
session start would choose it. --explain prints where each value comes from.`,
		Example: "  brenner roster show --explain\n  brenner roster show --preset default-3-agent --to BlueLake --to RedSky --to " +
			"GreenValley",
		Args: exactly(),
	}, func(r chosenRoster) error {
		if protocol.HasErrors(r.Findings) {
			return rosterError(r.Findings)
		}
		return nil
	})
}

func newRosterValidate(a *app) *cobra.Command {
	return a.rosterCommand(&cobra.Command{
		Use:     "validate",
		Short:   "Judge the roster that session start would use",
		Long:    "Judge what roster show shows, with the same flags. A roster in a file is judged by validate roster FILE.",
		Example: "  brenner roster validate --to BlueLake --to RedSky",
		Args:    exactly(),
	}, func(r chosenRoster) error { return verdict("the roster", r.Findings) })
}

// rosterCommand makes a command about the roster that would be chosen; judge says whether that fails.
func (a *app) rosterCommand(cmd *cobra.Command, judge func(chosenRoster) error) *cobra.Command {
	var f rosterFlags
	var explain bool
	f.define(a, cmd)
	cmd.Flags().BoolVar(&explain, "explain", false, "print where each value comes from")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		if err := f.check(cmd); err != nil {
			return nil, err
		}
		c, err := a.readConfig(ctx)
		if err != nil {
			return nil, err
		}
		req, findings, err := f.request(ctx, a, c)
		if err != nil {
			return chosenRoster{Entries: []protocol.RosterEntry{}, Recipients: []string{}, Origins: []session.Origin{}, Findings: findings},
				err
		}
		choice, more := session.ChooseRoster(req)
		r := chosenRoster{
			Mode: choice.Roster.Mode, CreatedAt: choice.Roster.CreatedAt, Entries: protocol.NonNil(choice.Roster.Entries),
			Recipients: protocol.NonNil(choice.Recipients),
			Origins:    protocol.NonNil(choice.Origins), Findings: protocol.NonNil(append(slices.Clone(findings), more...)),
			explain: explain,
		}
		if choice.Roster.Name != "" {
			r.Name = &choice.Roster.Name
		}
		return r, judge(r)
	})
}

type chosenRoster struct {
	Mode       protocol.RosterMode    `json:"mode"`
	Name       *string                `json:"name"`
	CreatedAt  string                 `json:"createdAt,omitempty"`
	Entries    []protocol.RosterEntry `json:"entries"`
	Recipients []string               `json:"recipients"`
	Origins    []session.Origin       `json:"origins"`
	Findings   []protocol.Finding     `json:"findings"`

	explain bool
}

func (r chosenRoster) show(p *printer) {
	p.findingsOnErr(r.Findings)
	if p.failed {
		return
	}
	name := ""
	if r.Name != nil {
		name = ", " + *r.Name
	}
	p.print("%s%s\n", r.Mode, visible(name))
	if len(r.Entries) > 0 {
		var rows [][]string
		for _, e := range r.Entries {
			rows = append(rows, []string{e.AgentName, string(e.Role), e.Program, e.Model})
		}
		p.table(columns("Agent", "Role", "Program?", "Model?"), rows)
	}
	if r.explain {
		p.print("\n")
		p.origins(r.Origins)
	}
	if len(r.Recipients) == 0 {
		p.hint("name agents with --to, or put a roster into the project file")
		return
	}
	p.hint("brenner session start with the same flags")
}

// origins prints where values come from.
func (p *printer) origins(list []session.Origin) {
	var rows [][]string
	for _, o := range list {
		rows = append(rows, []string{o.Key, o.Value, o.Origin})
	}
	p.table(columns("Key", "Value…", "From…"), rows)
}
