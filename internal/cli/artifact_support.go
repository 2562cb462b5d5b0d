package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/usecase"
)

func newArtifactSupport(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "support T",
		Short: "Say what each active item rests on: quoted, cited, inference or bare",
		Long: `Say of each active item of the current fold whether a quote in it was compared and found (quoted), whether it cites
something that is there (cited), whether it is labelled as inference, or whether it rests on nothing (bare).`,
		Example:           "  brenner artifact support RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Support, func(answer usecase.SupportAnswer) report { return supportReport{answer} })
}

type supportReport struct{ usecase.SupportAnswer }

func (r supportReport) show(p *printer) {
	if len(r.Items) == 0 {
		p.note("the artifact has no items yet")
		p.next("brenner", "session", "status", r.ThreadID)
		return
	}
	var rows [][]string
	for _, it := range r.Items {
		rows = append(rows, []string{it.ID, string(it.Support), formatInt(int64(len(it.Quotes))), strings.Join(it.Citations, ", "),
			it.Name})
	}
	p.table(columns("Item", "Support", "Quotes?", "Citations…", "Name…"), rows)
	p.next("brenner", "evidence", "check", r.ThreadID)
}
