package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func newThreadList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "List the threads of the project, most recently active first",
		Example: "  brenner thread list",
		Args:    exactly(),
	}, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		threads, err := p.Mail.Threads(ctx)
		if err != nil {
			return nil, err
		}
		r := threadsReport{Threads: []threadRow{}}
		for _, t := range threads {
			r.Threads = append(r.Threads, threadRow{
				t.ID, protocol.KindOf(t.ID), t.Messages, t.LatestVersion, mail.FormatTime(t.UpdatedAt), protocol.OrNull(t.Crate),
			})
		}
		return r, nil
	}))
}

type threadRow struct {
	ThreadID      string              `json:"thread_id"`
	Kind          protocol.ThreadKind `json:"kind"`
	Messages      int                 `json:"messages"`
	LatestVersion int                 `json:"latest_version"`
	UpdatedAt     string              `json:"updated_at"`
	Crate         *string             `json:"crate"` // the file with its messages, if it is archived
}

type threadsReport struct {
	Threads []threadRow `json:"threads"`
}

func (r threadsReport) show(p *printer) {
	if len(r.Threads) == 0 {
		p.note("no threads")
		p.next("brenner", "session", "start")
		return
	}
	var rows [][]string
	for _, t := range r.Threads {
		version := "-"
		if t.LatestVersion > 0 {
			version = "v" + formatInt(int64(t.LatestVersion))
		}
		state := ""
		if t.Crate != nil {
			state = "archived in " + *t.Crate
		}
		rows = append(rows, []string{t.ThreadID, string(t.Kind), formatInt(int64(t.Messages)), version, p.age(t.UpdatedAt), state})
	}
	p.table(columns("Thread", "Kind?", "Messages?", "Version", "Age", "State?"), rows)
	p.next("brenner", "thread", "show", r.Threads[0].ThreadID)
}
