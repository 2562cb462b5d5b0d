package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newSessionList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "List the sessions of the project, most recently active first",
		Example: "  brenner session list",
		Args:    exactly(),
	}, a.working("looking at sessions", func(ctx context.Context, p *project.App, _ []string) (report, error) {
		list, err := p.Sessions.List(ctx)
		if err != nil {
			return nil, err
		}
		return sessionsReport{protocol.NonNil(list)}, nil
	}))
}

type sessionsReport struct {
	Sessions []session.Summary `json:"sessions"`
}

func (r sessionsReport) show(p *printer) {
	if len(r.Sessions) == 0 {
		p.note("no sessions")
		p.next("brenner", "session", "start")
		return
	}
	var rows [][]string
	for _, s := range r.Sessions {
		rows = append(rows, []string{
			s.ThreadID, string(s.Phase), strconv.Itoa(s.Round), versionText(s.LatestVersion),
			strconv.Itoa(s.PendingDeltas), strconv.Itoa(len(s.OpenCritiques)), p.age(s.UpdatedAt), s.Question,
		})
	}
	p.table(columns("Session", "Phase", "Round?", "Version?", "Pending?", "Critiques?", "Age?", "Question…"), rows)
	p.next("brenner", "session", "status", r.Sessions[0].ThreadID)
}

// versionText writes a version as people say it; there is none before the first.
func versionText(n int) string {
	if n == 0 {
		return "-"
	}
	return "v" + strconv.Itoa(n)
}
