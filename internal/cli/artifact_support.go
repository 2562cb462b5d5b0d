package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/session"
)

func newArtifactSupport(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "support T",
		Short: "Say what each active item rests on: quoted, cited, inference or bare",
		Long: `Say of each active item of the current fold whether a quote in it was compared and found (quoted), whether it cites
something that is there (cited), whether it is labelled as inference, or whether it rests on nothing (bare).`,
		Example:           "  brenner artifact support RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, a.inSession(func(_ context.Context, s *session.Session, args []string) (report, error) {
		items, err := s.Support()
		if err != nil {
			return nil, err
		}
		return supportReport{args[0], items}, nil
	}))
}

type supportReport struct {
	ThreadID string                `json:"thread_id"`
	Items    []session.ItemSupport `json:"items"`
}

func (r supportReport) show(p *printer) {
	if len(r.Items) == 0 {
		p.note("the artifact has no items yet")
		p.next("brenner", "session", "status", r.ThreadID)
		return
	}
	var rows [][]string
	for _, it := range r.Items {
		rows = append(rows, []string{it.ID, string(it.Support), formatInt(int64(len(it.Quotes))), strings.Join(it.Citations, ", "), it.Name})
	}
	p.table(columns("Item", "Support", "Quotes?", "Citations…", "Name…"), rows)
	p.next("brenner", "evidence", "check", r.ThreadID)
}
