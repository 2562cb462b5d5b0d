package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

func newDoctor(a *app) *cobra.Command {
	var team, session string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check git, settings, store, agents and the programs beside it",
		Long: `Check what sessions rely on and say how to mend what is not in order. Nothing is made or changed: a
store that is not there yet is fine. Exit code 0 unless a check fails; warnings do not fail. With --session it
also looks at what a run of that session needs: the programs of its agents, their logins, and whether somebody or
something of an earlier run is still at work.`,
		Example: "  brenner doctor\n  brenner doctor --team https://lab.example\n  brenner doctor --session RS-20260110-cells-turn",
		Args:    exactly(),
	}
	cmd.Flags().StringVar(&team, "team", "",
		"examine the team's server at `URL` too, as its clients meet it, with the token in $AGENT_MAIL_BEARER_TOKEN")
	cmd.Flags().StringVar(&session, "session", "", "look also at what a run of the session `T` needs")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		d := &doctor{app: a, thread: session, report: doctorReport{Checks: []check{}}}
		if err := d.examine(ctx); err != nil {
			return nil, err
		}
		if team != "" {
			d.team(ctx, team)
		}
		return d.report, d.failure
	})
}

// The outcomes of a check.
const (
	checkOK   = "ok"
	checkWarn = "warn"
	checkFail = "fail"
)

// check is one thing that was looked at.
type check struct {
	Name    string  `json:"name"`
	Status  string  `json:"status"` // ok, warn or fail
	Message string  `json:"message"`
	Fix     *string `json:"fix"`
}

type doctorReport struct {
	Checks  []check `json:"checks"`
	Summary struct {
		OK   int `json:"ok"`
		Warn int `json:"warn"`
		Fail int `json:"fail"`
	} `json:"summary"`
}

func (r doctorReport) show(p *printer) {
	styles := map[string]string{
		checkOK: "32", checkWarn: severityStyle[protocol.SeverityWarning], checkFail: severityStyle[protocol.SeverityError],
	}
	for _, c := range r.Checks {
		status := pad(c.Status, len(checkWarn))
		text := strings.Join(p.folded(status+" ", "     ", visible(c.Name+": "+c.Message)), "\n")
		p.print("%s%s\n", p.style(styles[c.Status], status), strings.TrimPrefix(text, status))
		if c.Fix != nil {
			p.line("     ", "fix: "+*c.Fix)
		}
	}
	if !p.failed {
		p.next("brenner", "session", "start")
	}
}

func pad(text string, width int) string {
	for len(text) < width {
		text += " "
	}
	return text
}
