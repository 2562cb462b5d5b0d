package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/disputes"
	"brenner/internal/dispute"
)

func newDisputeList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "List the disputes that come with the program",
		Example: "  brenner dispute list",
		Args:    exactly(),
	}, func(context.Context, []string) (report, error) {
		names, err := dispute.List(disputes.Files)
		r := disputeListReport{Disputes: []disputeLine{}}
		for _, name := range names {
			var d *dispute.Dispute
			if d, _, err = readDispute(name); err != nil {
				break
			}
			r.Disputes = append(r.Disputes, disputeLine{name, d.Title, d.Years, d.Field, d.Question, len(d.Hypotheses), len(d.Tests),
				d.Answer == dispute.Open})
		}
		return r, err
	})
}

type disputeListReport struct {
	Disputes []disputeLine `json:"disputes"`
}

type disputeLine struct {
	Name       string `json:"name"`
	Title      string `json:"title"`
	Years      string `json:"years"`
	Field      string `json:"field"`
	Question   string `json:"question"`
	Hypotheses int    `json:"hypotheses"`
	Tests      int    `json:"tests"`
	Open       bool   `json:"open"`
}

func (r disputeListReport) show(p *printer) {
	var rows [][]string
	for _, d := range r.Disputes {
		state := "settled"
		if d.Open {
			state = "open"
		}
		rows = append(rows, []string{d.Name, d.Years, formatInt(int64(d.Hypotheses)), formatInt(int64(d.Tests)), state, d.Title})
	}
	p.table(columns("Dispute", "Years", "Rivals", "Tests", "State", "Title"), rows)
	if len(r.Disputes) > 0 {
		p.next("brenner", "dispute", "show", r.Disputes[0].Name)
	}
}
